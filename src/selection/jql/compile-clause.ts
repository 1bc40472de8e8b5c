import { NO, type RowPredicate, type Truth, UNKNOWN, YES } from '../../engine/columns/row-predicates.ts';
import { untitledAmong } from '../../model/issues/field-titles.ts';
import { findField } from './fields.ts';
import { hasChanged, readPredicates, was } from './history.ts';
import { type Compilation, type Compiled, every, greatest, type JqlWorld, not, some } from './jql.ts';
import { listed, type Operand, pieceError, type SingleOperand, type TerminalClause } from './query-tree.ts';
import { past } from './system-fields.ts';
import {
  type ContentSource,
  fits,
  type Item,
  isUnknownInstant,
  itemsIn,
  itemText,
  type JqlField,
  type KnownContent,
  readWanted,
  type Sign,
  type Source,
  type Test,
  UNCERTAIN,
  type Wanted,
} from './values.ts';

/** One comparison as a condition; everything about it is resolved here, so that only contents need looking up. */
export function compileClause(clause: TerminalClause, outer: Compilation): Compiled {
  const { operator } = clause;
  const compilation: Compilation = past.includes(operator) ? { ...outer, isPast: true } : outer;
  const field = findField(clause.field, compilation);
  if (!field.operators.includes(operator)) {
    throw pieceError(
      compilation.name,
      clause.operatorWritten,
      `is not an operator that ${field.title} takes. Try: ${listed(field.operators)}.`,
    );
  }
  if (operator === 'changed') {
    const predicates = readPredicates(clause, field, compilation);
    return hasChanged(withHistory(clause, field, compilation), predicates, compilation.world);
  }
  const { operand } = clause;
  if (operand === null) throw pieceError(compilation.name, clause, 'lacks a value.');
  switch (operator) {
    case '=':
    case 'in':
    case 'is':
      return equals(field, operand, operator === 'in', compilation);
    case '!=':
    case 'not in':
    case 'is not':
      return differs(field, operand, operator === 'not in', compilation);
    case '~':
    case '!~':
      return contains(field, operand, operator === '~', compilation);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return has(field, compare(field, operator, operand, compilation), compilation);
    default:
      return compileWas(clause, operand, field, compilation);
  }
}

/** The field has one of the values of an operand, or what a function in it stands for holds of the issue. */
function equals(field: JqlField, operand: Operand, many: boolean, compilation: Compilation): Compiled {
  const { values, conditions } = apart(field, operand, many);
  const own = has(field, readWanted(field, values, many), compilation);
  return conditions.length === 0 ? own : some([own, ...conditions]);
}

/** The field has other values than those of an operand, for `!=` and NOT IN. */
function differs(field: JqlField, operand: Operand, many: boolean, compilation: Compilation): Compiled {
  const { values, conditions } = apart(field, operand, many);
  const own = hasOther(field, readWanted(field, values, many), compilation);
  return every([own, ...conditions.map(not)]);
}

/** The values of an operand that are compared with the field, and the conditions that others of them stand for. */
function apart(
  field: JqlField,
  operand: Operand,
  many: boolean,
): { readonly values: Operand; readonly conditions: readonly Compiled[] } {
  const values: SingleOperand[] = [];
  const conditions: Compiled[] = [];
  for (const one of operand.values) {
    const isCall = one.kind === 'call';
    const condition = isCall ? (field.values.condition?.(one, many || operand.isList) ?? null) : null;
    if (condition === null) values.push(one);
    else conditions.push(condition);
  }
  return { values: { ...operand, values }, conditions };
}

/** One of the values is wanted, or, with EMPTY, there are none. */
function has(field: JqlField, wanted: Wanted, { world }: Compilation): Compiled {
  const { empty, tests, plain } = wanted;
  const judge = (content: ReturnType<JqlField['read']>): Truth => {
    if (content === UNCERTAIN) return UNKNOWN;
    if (isUnknownInstant(content)) {
      const isNear = plain.some(
        (one) => one.kind === 'finished' && one.from <= content.until && one.until > content.from,
      );
      return isNear || (empty && content.mayBeEmpty) ? UNKNOWN : NO;
    }
    const items = itemsIn(content);
    return items.length === 0 ? (empty ? YES : NO) : someItem(items, tests);
  };
  return (loaded) =>
    loaded === null
      ? predicateOf(field.source, wanted, world, judge)
      : loaded.predicate((then) => judge(field.read(then)));
}

/** There are values, and none of them is unwanted: as Jira documents, != and NOT IN pass over what is empty. */
function hasOther(field: JqlField, wanted: Wanted, compilation: Compilation): Compiled {
  return not(has(field, { ...wanted, empty: true }, compilation));
}

/** Makes the predicate of `judge` over the contents in the columns of all issues, by their codes. */
function predicateOf(
  source: Source | null,
  { empty, tests, plain, search }: Wanted,
  world: JqlWorld,
  judge: (content: KnownContent) => Truth,
): RowPredicate {
  if (source === null) return { kind: 'ask' };
  switch (source.kind) {
    case 'text': {
      const { field } = source;
      const where = textSource(field, world);
      if (where === 'nothing') return { ...noColumn, truths: Uint8Array.of(judge(null)) };
      if (where === 'issues' || (tests.length > 0 && search === undefined)) return { kind: 'ask' };
      return { kind: 'text', field, search: search ?? null, empty: empty ? YES : NO };
    }
    case 'project':
      return { kind: 'project', truths: Uint8Array.from(world.columns.projectKeys, judge) };
    case 'contents': {
      const [only, ...others] = source.of;
      if (only === undefined) return { ...noColumn, truths: Uint8Array.of(judge(null)) };
      if (others.length === 0) return codePredicate(only, world, judge);
      const found = source.of.map((one) =>
        codePredicate(one, world, (content) => someItem(itemsIn(content), tests)),
      );
      const none = source.of.map((one) =>
        codePredicate(one, world, (content) => (itemsIn(content).length === 0 ? YES : NO)),
      );
      return { kind: 'any', of: empty ? [...found, { kind: 'all', of: none }] : found };
    }
    default:
      return { kind: 'any', of: empty ? [...plain, source.empty] : plain };
  }
}

/** The column of a field that no issue has. */
const noColumn = { kind: 'code', field: '', always: false } as const;

function codePredicate(
  source: ContentSource,
  world: JqlWorld,
  judge: (content: KnownContent) => Truth,
): RowPredicate {
  const { field, always } = source;
  const truths = Uint8Array.from(contentsByCode(source, world), judge);
  return { kind: 'code', field, always, truths };
}

/** The contents behind the codes of a column, as the principal can read them; of a field that no issue has, one that is empty. */
export function contentsByCode({ field, read }: ContentSource, world: JqlWorld): KnownContent[] {
  if (!isObserved(field, world) || !world.hasColumn(field)) return [read(undefined)];
  const { columns, redact } = world;
  const values = columns.values(field);
  const hide = redact?.get(field);
  return Array.from({ length: values.size }, (_, code) => {
    const content = values.at(code);
    return read(content === undefined || hide === undefined ? content : hide(content));
  });
}

/** Returns true where any issue has a field. */
function isObserved(field: string, { columns }: JqlWorld): boolean {
  return columns.hasField(field) || columns.classes.all.some(({ fields }) => fields.has(field));
}

/** The place of a field's texts: columns, the issues only if they must not be read as they are, or none. */
export function textSource(field: string, world: JqlWorld): 'texts' | 'issues' | 'nothing' {
  // An issue has its summary beside its fields as well.
  if (field !== 'summary' && !isObserved(field, world)) return 'nothing';
  return world.redact?.has(field) === true || world.hidesIn?.(field) === true ? 'issues' : 'texts';
}

function someItem(items: readonly Item[], tests: readonly Test[]): Truth {
  return greatest(items.map((item) => fits(item, tests)));
}

function contains(field: JqlField, operand: Operand, isWanted: boolean, compilation: Compilation): Compiled {
  const only = onlyValue(operand, compilation);
  const compile = isWanted ? has : hasOther;
  if (only.kind === 'empty') return compile(field, { empty: true, tests: [], plain: [] }, compilation);
  const search = field.values.search?.(only);
  if (search === undefined)
    throw pieceError(compilation.name, operand, `cannot be searched for in ${field.title}.`);
  const test = (item: Item) => search.patterns.every((pattern) => pattern.test(itemText(item)));
  const wanted = { empty: false, tests: [test], plain: [], search };
  return compile({ ...field, source: searchedIn(field, compilation.world) }, wanted, compilation);
}

/** A search takes a microsecond a text, and others have to wait for it. */
const MAX_SEARCHED = 30_000;

/** The source to search: texts rather than their dictionary, where nearly each issue has a text of its own. */
export function searchedIn({ source, values }: JqlField, { columns }: JqlWorld): Source | null {
  if (source?.kind !== 'contents') return source;
  const isMuch = source.of.some(
    ({ field }) => columns.hasField(field) && columns.values(field).size > MAX_SEARCHED,
  );
  const [only, ...others] = source.of;
  if (!isMuch) return source;
  return values.search === undefined || only === undefined || others.length > 0
    ? null
    : { kind: 'text', field: only.field };
}

function compare(field: JqlField, sign: Sign, operand: Operand, compilation: Compilation): Wanted {
  const only = onlyValue(operand, compilation);
  const { values, title } = field;
  const test = only.kind === 'empty' ? undefined : values.compare?.(sign, only);
  if (only.kind === 'empty' || test === undefined)
    throw pieceError(compilation.name, operand, `cannot be compared with ${title}. Try: a value.`);
  const plain = values.plain === undefined ? [] : [values.plain(sign, only)];
  return { empty: false, tests: [test], plain };
}

function onlyValue(operand: Operand, { name }: Compilation): SingleOperand {
  const [only, ...others] = operand.values;
  if (only === undefined || others.length > 0) throw pieceError(name, operand, 'is a list. Try: one value.');
  return only;
}

function compileWas(
  clause: TerminalClause,
  operand: Operand,
  field: JqlField,
  compilation: Compilation,
): Compiled {
  const { operator } = clause;
  const many = operator === 'was in' || operator === 'was not in';
  const wanted = readWanted(field, operand, many, 'changes');
  const predicates = readPredicates(clause, field, compilation);
  const condition = was(withHistory(clause, field, compilation), wanted, predicates, compilation);
  return operator === 'was' || operator === 'was in' ? condition : not(condition);
}

function withHistory(
  clause: TerminalClause,
  field: JqlField,
  { name, world }: Compilation,
): JqlField & { readonly history: string } {
  const { history } = field;
  if (history === null) throw pieceError(name, clause.field, 'has no history here.');
  const names = new Map(world.directory.fields.map((one) => [one.id, one.name]));
  const [ids, changed] = [world.known.fieldIds(), world.known.changedFields()];
  if (untitledAmong([history], { ids, changed, names }).length > 0) {
    throw pieceError(
      name,
      clause.field,
      "has changes that are unknown, because the changelogs have titles of fields instead of ids. Try: import Jira's list of fields (GET /rest/api/2/field).",
    );
  }
  return { ...field, history };
}
