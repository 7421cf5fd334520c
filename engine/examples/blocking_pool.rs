//! An asynchronous service that keeps its state in Graven: every call goes through the service's blocking pool.
//!
//! `cargo run -p graven --example blocking_pool -- STORE`
//!
//! The engine blocks, on locks and on syncs, so it must not be called on a thread that drives futures. With a runtime
//! that has a blocking pool this is one line (`spawn_blocking(move || store.read(…)).await`); here pool and executor
//! are a few lines of the standard library, so that the example shows what happens and needs no runtime.

use std::error::Error;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::SystemTime;

use graven::{Options, Store, UnixSeconds};

/// The blocking pool: threads that run closures, one after another.
struct Pool {
    queue: mpsc::Sender<Box<dyn FnOnce() + Send>>,
}

impl Pool {
    fn new(threads: usize) -> Pool {
        let (queue, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let work = Arc::new(Mutex::new(work));
        for _ in 0..threads {
            let work = Arc::clone(&work);
            thread::spawn(move || {
                loop {
                    let next = work.lock().map(|work| work.recv());
                    let Ok(Ok(closure)) = next else { return };
                    closure();
                }
            });
        }
        Pool { queue }
    }

    /// Runs `closure` on the pool; the future is ready when it has returned.
    fn run<T: Send + 'static>(&self, closure: impl FnOnce() -> T + Send + 'static) -> Answer<T> {
        let slot = Arc::new(Mutex::new(Slot {
            value: None,
            waker: None,
        }));
        let answer = Answer(Arc::clone(&slot));
        let closure = Box::new(move || {
            let value = closure();
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            slot.value = Some(value);
            if let Some(waker) = slot.waker.take() {
                waker.wake();
            }
        });
        // The pool's threads live as long as the sender.
        let _ = self.queue.send(closure);
        answer
    }
}

struct Slot<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

struct Answer<T>(Arc<Mutex<Slot<T>>>);

impl<T> Future for Answer<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = slot.value.take() {
            return Poll::Ready(value);
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// What the service does on a request: change something, then read it back.
async fn open_line(pool: &Pool, store: &Store, name: String, now: UnixSeconds) -> graven::Result<String> {
    // Handles are cheap: a clone goes into the closure, and nothing borrowed crosses an await.
    let writer = store.clone();
    let line = pool
        .run(move || writer.write(now, |txn| txn.create_line(&name, None)))
        .await?;
    let reader = store.clone();
    pool.run(move || reader.read(|view| view.lines()?.get(line.value)?.name()))
        .await
}

/// Drives one future on this thread.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Signal(Mutex<bool>, Condvar);
    impl Wake for Signal {
        fn wake(self: Arc<Self>) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.1.notify_one();
        }
    }
    let signal = Arc::new(Signal(Mutex::new(false), Condvar::new()));
    let waker = Waker::from(Arc::clone(&signal));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        let mut woken = signal.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !*woken {
            woken = signal.1.wait(woken).unwrap_or_else(PoisonError::into_inner);
        }
        *woken = false;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: blocking_pool STORE")?;
    let now = UnixSeconds(SystemTime::UNIX_EPOCH.elapsed()?.as_secs());
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)?;
    let store = Store::create(path, "AB".parse()?, &Options::new(entropy))?;

    let pool = Pool::new(4);
    block_on(async {
        for request in ["main", "next", "review"] {
            println!("opened {}", open_line(&pool, &store, request.to_string(), now).await?);
        }
        Ok::<(), graven::Error>(())
    })?;
    Ok(store.close()?)
}
