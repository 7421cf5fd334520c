/-
Meta.lean: just enough of Lean's own syntax types for `notation`, `infix`, `macro` and `syntax`.

Those commands turn into small Lean programs which the compiler runs while it reads the next
lines.  Their data must have the memory layout the running compiler has, so the constructors of
`Lean.Name`, `Lean.Syntax`, `Lean.ParserDescr`, `Lean.Macro.Context` and `EStateM.Result` below
keep its order of constructors and fields.  None of this can be reached from a theorem: a mistake
here can crash or mislead the parser, never the kernel.

Native links.  `libleanshared` contains, as machine code, the functions and parser descriptions of
the library we do without.  Lean's interpreter calls such code for any constant marked `extern`,
and finds it by the *Lean name* of the constant (the string after `extern` is for C output only and
never used here).  So `@[extern "native"] opaque f : T := v` means "`f` is the compiler's own `f`".
-/
prelude
import Foundation.Core
set_option genSizeOf false
set_option genInjectivity false
universe u v w

/-! ## Names, strings and arrays -/

inductive Char where | never (a b : Nat)                  -- only as the type of character literals
inductive String where | never (a : List Char) (b : Nat)  -- string literals have the compiler's own layout
structure Array (α : Type u) where
  toList : List α

namespace Lean
inductive Name where
  | anonymous : Name
  | str (pre : Name) (s : String)
  | num (pre : Name) (i : Nat)
@[extern "native"] opaque Name.mkStr1 (a : String) : Name := .anonymous
@[extern "native"] opaque Name.mkStr2 (a b : String) : Name := .anonymous
@[extern "native"] opaque Name.mkStr3 (a b c : String) : Name := .anonymous
@[extern "native"] opaque Name.mkStr4 (a b c d : String) : Name := .anonymous
@[extern "native"] opaque Name.mkStr5 (a b c d e : String) : Name := .anonymous
abbrev SyntaxNodeKind := Name
abbrev SyntaxNodeKinds := List SyntaxNodeKind

/-! ## What `syntax` produces -/

inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p q : ParserDescr)
  | node (kind : SyntaxNodeKind) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : SyntaxNodeKind) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : SyntaxNodeKind) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
abbrev TrailingParserDescr := ParserDescr
structure Parser.Category

/-! ## Syntax trees -/

structure Substring.Raw where
  str : String
  startPos : Nat
  stopPos : Nat
inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : Nat) (trailing : Substring.Raw) (endPos : Nat)
  | synthetic (pos endPos : Nat) (canonical : Bool)
  | none
inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)
inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : SyntaxNodeKind) (args : Array Syntax)
  | atom (info : SourceInfo) (val : String)
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved)
structure TSyntax (ks : SyntaxNodeKinds) where
  raw : Syntax
instance (k : SyntaxNodeKind) : CoeT SyntaxNodeKind k SyntaxNodeKinds where coe := .cons k .nil
instance (ks : SyntaxNodeKinds) (x : TSyntax ks) : CoeT (TSyntax ks) x Syntax where coe := x.raw

@[extern "native"] opaque Syntax.isOfKind (stx : Syntax) (k : SyntaxNodeKind) : Bool := false
@[extern "native"] opaque Syntax.getArg (stx : Syntax) (i : Nat) : Syntax := .missing
@[extern "native"] opaque Syntax.matchesNull (stx : Syntax) (n : Nat) : Bool := false
@[extern "native"] opaque SourceInfo.fromRef (ref : Syntax) (canonical : Bool) : SourceInfo := .none
@[extern "native"] opaque replaceRef (ref oldRef : Syntax) : Syntax := .missing
@[extern "native"] opaque addMacroScope (mainModule n : Name) (scp : Nat) : Name := .anonymous
@[extern "native"] opaque _root_.String.toRawSubstring' (s : String) : Substring.Raw := ⟨s, 0, 0⟩
@[extern "native"] opaque Syntax.node1 (i : SourceInfo) (k : SyntaxNodeKind) (a : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node2 (i : SourceInfo) (k : SyntaxNodeKind) (a b : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node3 (i : SourceInfo) (k : SyntaxNodeKind) (a b c : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node4 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node5 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node6 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node7 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f g : Syntax) : Syntax := .missing
@[extern "native"] opaque Syntax.node8 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f g h : Syntax) : Syntax := .missing
@[extern "native"] opaque _root_.Array.mkArray0 {α : Type u} : Array α := ⟨.nil⟩
@[extern "native"] opaque _root_.Array.mkArray1 {α : Type u} (a : α) : Array α := ⟨.nil⟩
@[extern "native"] opaque _root_.Array.mkArray2 {α : Type u} (a b : α) : Array α := ⟨.nil⟩
@[extern "native"] opaque _root_.Array.mkArray3 {α : Type u} (a b c : α) : Array α := ⟨.nil⟩
@[extern "native"] opaque _root_.Array.mkArray4 {α : Type u} (a b c d : α) : Array α := ⟨.nil⟩
end Lean

/-! ## The monad `macro_rules` and the pretty printer's unexpanders run in -/

class Functor (f : Type u → Type v) where
  map {α β : Type u} : (α → β) → f α → f β
class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α
class Bind (m : Type u → Type v) where
  bind {α β : Type u} : m α → (α → m β) → m β
class Monad (m : Type u → Type v) extends Functor m, Pure m, Bind m
class MonadExcept (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
export Pure (pure)
export Bind (bind)
export MonadExcept (throw)
inductive EStateM.Result (ε σ α : Type u) where
  | ok (a : α) (s : σ)
  | error (e : ε) (s : σ)

namespace Lean
class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α : Type} : Syntax → m α → m α
class MonadQuotation (m : Type → Type) extends MonadRef m where
  getContext : m Name
  getCurrMacroScope : m Nat
export MonadRef (getRef)
export MonadQuotation (getCurrMacroScope getContext)
def MonadRef.mkInfoFromRefPos {m : Type → Type} [Monad m] [MonadRef m] : m SourceInfo :=
  bind getRef fun ref => pure (SourceInfo.fromRef ref false)
def withRef {m : Type → Type} [Monad m] [MonadRef m] {α : Type} (ref : Syntax) (x : m α) : m α :=
  bind getRef fun old => MonadRef.withRef (replaceRef ref old) x

/-- A computation that reads `ρ`, threads `σ` and may fail with `ε`. -/
def EnvM (ρ ε σ α : Type) : Type := ρ → σ → EStateM.Result ε σ α
instance (ρ ε σ : Type) : Monad (EnvM ρ ε σ) where
  map f x := fun c s => match x c s with
    | .ok a s => .ok (f a) s
    | .error e s => .error e s
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance (ρ ε σ : Type) : MonadExcept ε (EnvM ρ ε σ) where
  throw e := fun _ s => .error e s

inductive Macro.Exception where
  | error (ref : Syntax) (msg : String)
  | unsupportedSyntax
structure Macro.Context where
  methods : Unit
  quotContext : Name
  currMacroScope : Nat
  currRecDepth : Nat
  maxRecDepth : Nat
  ref : Syntax
inductive Macro.State where | never (a b : Nat)
abbrev MacroM := EnvM Macro.Context Macro.Exception Macro.State
abbrev Macro := Syntax → MacroM Syntax
instance : MonadQuotation MacroM where
  getRef := fun c s => .ok c.ref s
  withRef ref x := fun c s => x { c with ref := ref } s
  getContext := fun c s => .ok c.quotContext s
  getCurrMacroScope := fun c s => .ok c.currMacroScope s
/-- The stated value of every linked macro: "not mine". -/
def Macro.none : Macro := fun _ => throw Macro.Exception.unsupportedSyntax

abbrev PrettyPrinter.UnexpandM := EnvM Syntax Unit Unit
abbrev PrettyPrinter.Unexpander := Syntax → PrettyPrinter.UnexpandM Syntax
instance : MonadQuotation PrettyPrinter.UnexpandM where
  getRef := fun ref s => .ok ref s
  withRef ref x := fun _ s => x ref s
  getContext := fun _ s => .ok `_fakeMod s
  getCurrMacroScope := fun _ s => .ok 0 s
end Lean
