//! AC30, as far as the face decides it: a network file system is refused unless the caller accepts it.

use graven::format::Namespace;
use graven::vfs::FileSystem;
use graven::{ErrorKind, Store};

use super::{PATH, filled_disk, names, on};

#[test]
fn ac30_a_network_file_system_is_refused_unless_the_options_accept_it() {
    let disk = filled_disk();
    disk.set_file_system(FileSystem::Network(0x6969));
    let error = Store::open(PATH, &on(&disk, 1)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Refused { rule: "F-0.4" });
    assert!(error.to_string().contains("network"), "{error}");
    let error = Store::create("/new", Namespace::EMPTY, &on(&disk, 1)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Refused { rule: "F-0.4" });
    let accepted = Store::open(PATH, &on(&disk, 1).accept_network_file_system(true)).unwrap();
    assert_eq!(names(&accepted), ["main", "side"]);
}
