/-
Notation.lean: the usual operators and the tactics, linked from the compiler (see `Meta.lean`).

Each line names one parser description or one macro of the standard library; the machine code is
in `libleanshared`, so nothing is restated here.  To add an operator or a tactic of the standard
library, add its line; for a notation of our own, use `infix`, `notation` or `macro` as usual.

  link_term k      a term starting with a keyword          link_op k      an operator after a term
  link_tactic k    a tactic                                link_part k    a piece other lines refer to
  link_macro k m   the macro `m`, expanding syntax `k`     link_show c u  how goals print the constant `c`
-/
prelude
import Foundation.Meta
open Lean

/-! `p*`, `p+` and `p?` in `syntax` and `macro`; the precedence `max`. -/
@[prec_parser 1000, extern "native"] opaque precMax : ParserDescr := .const .anonymous
@[macro precMax, extern "native"] opaque _aux_Init_Notation___macroRules_precMax_1 : Macro := Macro.none

@[stx_parser 1023, extern "native"] opaque «stx_*» : TrailingParserDescr := .const .anonymous
@[macro «stx_*», extern "native"] opaque «_aux_Init_Notation___macroRules_stx_*_1» : Macro := Macro.none
@[stx_parser 1023, extern "native"] opaque «stx_+» : TrailingParserDescr := .const .anonymous
@[macro «stx_+», extern "native"] opaque «_aux_Init_Notation___macroRules_stx_+_1» : Macro := Macro.none
@[stx_parser 1023, extern "native"] opaque «stx_?» : TrailingParserDescr := .const .anonymous
@[macro «stx_?», extern "native"] opaque «_aux_Init_Notation___macroRules_stx_?_1» : Macro := Macro.none

declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat

macro "link_term " x:ident : command =>
  `(@[term_parser 1000, extern "native"] opaque $x:ident : ParserDescr := .const .anonymous)
macro "link_op " x:ident : command =>
  `(@[term_parser 1000, extern "native"] opaque $x:ident : TrailingParserDescr := .const .anonymous)
macro "link_tactic " x:ident : command =>
  `(@[tactic_parser 1000, extern "native"] opaque $x:ident : ParserDescr := .const .anonymous)
macro "link_tactic_op " x:ident : command =>
  `(@[tactic_parser 1000, extern "native"] opaque $x:ident : TrailingParserDescr := .const .anonymous)
macro "link_rcases " x:ident : command =>
  `(@[rcasesPat_parser 1000, extern "native"] opaque $x:ident : ParserDescr := .const .anonymous)
macro "link_rintro " x:ident : command =>
  `(@[rintroPat_parser 1000, extern "native"] opaque $x:ident : ParserDescr := .const .anonymous)
macro "link_part " x:ident : command =>
  `(@[extern "native"] opaque $x:ident : ParserDescr := .const .anonymous)
macro "link_macro " k:ident m:ident : command =>
  `(@[macro $k:ident, extern "native"] opaque $m:ident : Macro := Macro.none)
macro "link_show " c:ident m:ident : command =>
  `(@[app_unexpander $c:ident, extern "native"] opaque $m:ident : PrettyPrinter.Unexpander := fun _ => throw ())

/-! ## Operators -/

link_op «term_=_»
link_macro «term_=_» «_aux_Init_Notation___macroRules_term_=__1»
link_show Eq «_aux_Init_Notation___unexpand_Eq_1»
link_op «term_∧_»
link_macro «term_∧_» «_aux_Init_Notation___macroRules_term_∧__1»
link_show And «_aux_Init_Notation___unexpand_And_1»
link_op «term_∨_»
link_macro «term_∨_» «_aux_Init_Notation___macroRules_term_∨__1»
link_show Or «_aux_Init_Notation___unexpand_Or_1»
link_op «term_::_»
link_macro «term_::_» «_aux_Init_Notation___macroRules_term_::__1»
link_show List.cons «_aux_Init_Notation___unexpand_List_cons_1»
link_op «term_++_»
link_macro «term_++_» «_aux_Init_Notation___macroRules_term_++__1»
link_show HAppend.hAppend «_aux_Init_Notation___unexpand_HAppend_hAppend_1»
link_op «term_+_»
link_macro «term_+_» «_aux_Init_Notation___macroRules_term_+__1»
link_show HAdd.hAdd «_aux_Init_Notation___unexpand_HAdd_hAdd_1»
link_op «term_-_»
link_macro «term_-_» «_aux_Init_Notation___macroRules_term_-__1»
link_show HSub.hSub «_aux_Init_Notation___unexpand_HSub_hSub_1»
link_op «term_≤_»
link_macro «term_≤_» «_aux_Init_Notation___macroRules_term_≤__1»
link_show LE.le «_aux_Init_Notation___unexpand_LE_le_1»
link_op «term_<_»
link_macro «term_<_» «_aux_Init_Notation___macroRules_term_<__1»
link_show LT.lt «_aux_Init_Notation___unexpand_LT_lt_1»
link_op «term_≥_»
link_macro «term_≥_» «_aux_Init_Notation___macroRules_term_≥__1»
link_op «term_>_»
link_macro «term_>_» «_aux_Init_Notation___macroRules_term_>__1»
link_op «term_×_»
link_macro «term_×_» «_aux_Init_Notation___macroRules_term_×__1»
link_show Prod «_aux_Init_Notation___unexpand_Prod_1»
link_op «term_&&_»
link_macro «term_&&_» «_aux_Init_Notation___macroRules_term_&&__1»
link_show Bool.and «_aux_Init_Notation___unexpand_Bool_and_1»
link_op «term_||_»
link_macro «term_||_» «_aux_Init_Notation___macroRules_term_||__1»
link_show Bool.or «_aux_Init_Notation___unexpand_Bool_or_1»
link_op «term_<|_»
link_macro «term_<|_» «_aux_Init_Notation___macroRules_term_<|__1»
link_op «term_|>_»
link_macro «term_|>_» «_aux_Init_Notation___macroRules_term_|>__1»
link_op «term_∈_»
link_macro «term_∈_» «_aux_Init_Notation___macroRules_term_∈__1»
link_show Membership.mem «_aux_Init_Notation___unexpand_Membership_mem_1»
link_op «term_∉_»
link_macro «term_∉_» «_aux_Init_Notation___macroRules_term_∉__1»
link_op «term_↔_»
link_macro «term_↔_» «_aux_Init_Core___macroRules_term_↔__1»
link_show Iff «_aux_Init_Core___unexpand_Iff_1»
link_op «term_≠_»
link_macro «term_≠_» «_aux_Init_Core___macroRules_term_≠__1»
link_show Ne «_aux_Init_Core___unexpand_Ne_1»
link_term «term¬_»
link_macro «term¬_» «_aux_Init_Notation___macroRules_term¬__1»
link_show Not «_aux_Init_Notation___unexpand_Not_1»
link_term «term!_»
link_macro «term!_» «_aux_Init_Notation___macroRules_term!__1»
link_show Bool.not «_aux_Init_Notation___unexpand_Bool_not_1»
link_term «termIfThenElse»
link_macro «termIfThenElse» «_aux_Init_Notation___macroRules_termIfThenElse_1»
link_term «termDepIfThenElse»
link_macro «termDepIfThenElse» «_aux_Init_Notation___macroRules_termDepIfThenElse_1»
link_term «term∃_,_»
link_macro «term∃_,_» «_aux_Init_NotationExtra___macroRules_term∃_,__1»
link_term «term[_]»
namespace Lean
link_macro «term[_]» «_aux_Init_Data_List_Notation___macroRules_term[_]_1»
link_part calcFirstStep
link_part calcStep
link_part calcSteps
link_term calc
link_tactic calcTactic
link_part cdotTk
link_tactic cdot
end Lean

/-! ## Tactics -/

namespace Lean.Parser.Tactic
link_part elimTarget
link_part inductionAltLHS
link_part inductionAlt
link_part inductionAlts
link_part caseArg
link_part location
link_part locationWildcard
link_part locationHyp
link_part locationType
link_part config
link_part optConfig
link_part configItem
link_part posConfigItem
link_part negConfigItem
link_part valConfigItem
link_part simpArgs
link_part simpArg
link_part simpLemma
link_part simpErase
link_part simpStar
link_part simpPre
link_part simpPost
link_part discharger
link_part dsimpArgs
link_part dsimpArg
link_part simpaArgsRest
link_part rwRuleSeq
link_part rwRule
link_part generalizeArg
link_part rcasesPatMed
link_part rcasesPatLo
link_rcases rcasesPat.one
link_rcases rcasesPat.ignore
link_rcases rcasesPat.clear
link_rcases rcasesPat.explicit
link_rcases rcasesPat.tuple
link_rcases rcasesPat.paren
link_rintro rintroPat.one
link_rintro rintroPat.binder
link_tactic intro
link_tactic intros
link_tactic exact
link_tactic apply
link_tactic refine
link_tactic constructor
link_tactic left
link_tactic right
link_tactic assumption
link_tactic contradiction
link_tactic cases
link_tactic induction
link_tactic rcases
link_tactic obtain
link_tactic rintro
link_tactic case
link_tactic focus
link_tactic first
link_tactic allGoals
link_tactic anyGoals
link_tactic skip
link_tactic done
link_tactic fail
link_tactic revert
link_tactic clear
link_tactic subst
link_tactic substVars
link_tactic injection
link_tactic injections
link_tactic split
link_tactic unfold
link_tactic delta
link_tactic specialize
link_tactic generalize
link_tactic change
link_tactic «show»
link_tactic rename
link_tactic renameI
link_tactic replace
link_tactic paren
link_tactic congr
link_tactic rewriteSeq
link_tactic simp
link_tactic simpAll
link_tactic dsimp
link_tactic simpa
link_tactic decide
link_tactic traceState
link_tactic eqRefl
link_tactic applyRfl
link_tactic withReducible
link_tactic rotateRight
link_tactic rotateLeft
link_tactic tacticRefine_lift_
link_macro tacticRefine_lift_ «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1»
link_tactic tacticRepeat_
link_tactic tacticSorry
link_macro tacticSorry «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1»

link_tactic «rwSeq»
link_macro «rwSeq» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1»
link_tactic «tacticExists_,,»
link_macro «tacticExists_,,» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1»
link_tactic «tacticHave__»
link_macro «tacticHave__» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1»
link_tactic «tacticLet__»
link_macro «tacticLet__» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1»
link_tactic «tacticSuffices_»
link_macro «tacticSuffices_» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1»
link_tactic «tacticExfalso»
link_macro «tacticExfalso» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1»
link_tactic «tacticRfl»
link_macro «tacticRfl» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1»
link_macro «tacticRfl» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2»
link_macro «tacticRfl» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3»
link_tactic «tacticTrivial»
link_macro «tacticTrivial» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1»
link_macro «tacticTrivial» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2»
link_macro «tacticTrivial» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3»
link_macro «tacticTrivial» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4»
link_macro «tacticTrivial» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5»
link_tactic «tacticNofun»
link_macro «tacticNofun» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1»
link_tactic «tacticNomatch_,,»
link_macro «tacticNomatch_,,» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1»
link_tactic «tacticTry_»
link_macro «tacticTry_» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1»
link_tactic_op «tactic_<;>_»
link_macro «tactic_<;>_» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1»
link_tactic «tacticNext_=>_»
link_macro «tacticNext_=>_» «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1»
end Lean.Parser.Tactic
link_tactic «tacticBy_cases_:_»
link_macro «tacticBy_cases_:_» «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1»
link_macro «tacticBy_cases_:_» «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2»
