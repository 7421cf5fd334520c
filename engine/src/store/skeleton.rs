//! Skeleton of the store floor.
#![allow(missing_docs, unused_variables, clippy::todo, clippy::needless_pass_by_value)]
use super::error::{Error, Result};
use super::source::{FamilyId, IndexDefinition, Source};
use crate::format::{Layout, UnixSeconds};
use std::marker::PhantomData;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Fields,
    State,
    Commit,
}
#[derive(Debug)]
pub struct View<'z>(PhantomData<&'z ()>);
#[derive(Debug)]
pub struct Transaction<'z>(PhantomData<&'z ()>);
#[derive(Debug)]
pub struct Spool;
#[derive(Debug)]
pub struct Receipt {
    pub sequence: u64,
    pub syncs: u32,
    pub files: u32,
    pub bytes: u64,
}
impl Spool {
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        todo!()
    }
    pub fn len(&self) -> u64 {
        todo!()
    }
    pub fn is_empty(&self) -> bool {
        todo!()
    }
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        todo!()
    }
}
macro_rules! source {
    ($t:ident) => {
        impl Source for $t<'_> {
            fn family(&self, layout: &'static Layout) -> Result<FamilyId> {
                todo!()
            }
            fn record_count(&self, family: FamilyId) -> u32 {
                todo!()
            }
            fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
                todo!()
            }
            fn payload_len(&self, family: FamilyId) -> u64 {
                todo!()
            }
            fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
                todo!()
            }
            fn find(
                &self,
                index: &'static IndexDefinition,
                key: &[u8],
                accept: &mut dyn FnMut(u32) -> Result<bool>,
            ) -> Result<Option<u32>> {
                todo!()
            }
        }
    };
}
source!(View);
source!(Transaction);
impl Transaction<'_> {
    pub fn now(&self) -> UnixSeconds {
        todo!()
    }
    pub fn set_now(&mut self, now: UnixSeconds) -> Result<()> {
        todo!()
    }
    pub fn append_record(&mut self, family: FamilyId, stage: Stage, bytes: &[u8]) -> Result<u32> {
        todo!()
    }
    pub fn replace_record(&mut self, family: FamilyId, index: u32, stage: Stage, bytes: &[u8]) -> Result<()> {
        todo!()
    }
    pub fn change_state_last(
        &mut self,
        family: FamilyId,
        index: u32,
        state_offset: usize,
        state_stage: Stage,
        bytes: &[u8],
    ) -> Result<()> {
        todo!()
    }
    pub fn append_payload(&mut self, family: FamilyId, bytes: &[u8]) -> Result<u64> {
        todo!()
    }
    pub fn spool(&self) -> Result<Spool> {
        todo!()
    }
    pub fn append_payload_spool(&mut self, family: FamilyId, spool: Spool) -> Result<u64> {
        todo!()
    }
    pub fn attempt<T, E: From<Error>>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        todo!()
    }
    pub fn commit(self) -> Result<Receipt> {
        todo!()
    }
}
