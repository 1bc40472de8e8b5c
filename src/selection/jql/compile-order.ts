import type { FinishStatuses } from '../../engine/columns/flow-rows.ts';
import type { LoadedPlaces, RowOrder, RowStep } from '../../engine/columns/row-order.ts';
import { LAST, sortedBy } from '../../engine/columns/sort-rows.ts';
import { compareText, sortableId } from '../../model/issues/ids-and-names.ts';
import { contentsByCode, searchedIn, textSource } from './compile-clause.ts';
import { filterNames, findField, textNames } from './fields.ts';
import { keyParts } from './issue-key-values.ts';
import type {
  Compilation,
  IssueThen,
  JqlOrder,
  JqlWorld,
  LoadedRows,
  SortKey,
  UnknownInstant,
} from './jql.ts';
import { type OrderTerm, pieceError, queryError } from './query-tree.ts';
import { type Content, isUnknownInstant, itemsIn, type JqlField, UNCERTAIN } from './values.ts';

/** Nothing is easier to read for more fields, and each costs a key of every issue. */
const MAX_FIELDS = 16;

/** One thing that decides, until it is level. */
interface Step {
  readonly keyOf: (then: IssueThen) => SortKey;
  readonly descends: boolean;
  /** The columns that have it: keys by code, or a column of another kind. */
  readonly column:
    | {
        readonly kind: 'code';
        readonly field: string;
        readonly always: boolean;
        readonly keys: readonly SortKey[];
      }
    | { readonly kind: 'project'; readonly keys: readonly SortKey[] }
    | { readonly kind: 'text'; readonly field: string }
    | { readonly kind: 'finished'; readonly statuses: FinishStatuses }
    | { readonly kind: 'created' | 'updated' | 'resolved' | 'number' | 'ask' };
}

/**
 * The order of a query. Without ASC or DESC a field has its own direction, as in Jira: dates begin with the latest,
 * priorities with the most important, everything else ascends. Ascending, what is empty comes last, descending first.
 * A value that a cut history lacks is ordered like an empty one. Issues that are level are ordered by key: project, then
 * number. A field that is named again decides nothing any more; more than 16 different ones are refused.
 */
export function compileOrder(terms: readonly OrderTerm[], compilation: Compilation): JqlOrder | null {
  if (terms.length === 0) return null;
  const byField = new Map<string, readonly Step[]>();
  for (const term of terms) {
    const { field, descends } = compileTerm(term, compilation);
    const identity = field.history ?? field.title;
    if (!byField.has(identity)) byField.set(identity, stepsOf(field, descends, compilation.world));
    if (byField.size > MAX_FIELDS) {
      throw queryError(
        compilation.name,
        `ORDER BY names more than ${MAX_FIELDS} different fields. Try: fewer fields, ${MAX_FIELDS} at most.`,
      );
    }
  }
  const steps = [...[...byField.values()].flat(), ...keySteps(false, compilation.world)];
  return {
    keysIn: (loaded) => loaded.map((then) => steps.map(({ keyOf }) => keyOf(then))),
    rank: (loaded = { rows: new Uint32Array(), keys: [] }) => rankSteps(steps, loaded),
  };
}

function compileTerm(
  term: OrderTerm,
  compilation: Compilation,
): { readonly field: JqlField; readonly descends: boolean } {
  if ([...textNames, ...filterNames].includes(term.field.text.trim().toLowerCase())) {
    throw pieceError(
      compilation.name,
      term.field,
      'cannot be ordered by. Try: a field with values of its own.',
    );
  }
  const field = findField(term.field, compilation);
  const direction = term.direction ?? (field.values.descending === true ? 'desc' : 'asc');
  return { field, descends: direction === 'desc' };
}

function stepsOf(field: JqlField, descends: boolean, world: JqlWorld): readonly Step[] {
  if (field.title === 'key') return keySteps(descends, world);
  return [{ keyOf: (then) => sortKey(field.read(then), field), descends, column: columnOf(field, world) }];
}

function columnOf(field: JqlField, world: JqlWorld): Step['column'] {
  const searched = searchedIn(field, world);
  const source = searched?.kind === 'text' ? searched : field.source;
  switch (source?.kind) {
    case 'text': {
      const where = textSource(source.field, world);
      if (where === 'nothing') return { kind: 'code', field: '', always: false, keys: [null] };
      return where === 'issues' ? { kind: 'ask' } : { kind: 'text', field: source.field };
    }
    case 'contents': {
      const [only, ...others] = source.of;
      // Several fields are ordered as one list, which no column holds.
      if (only === undefined || others.length > 0) return { kind: 'ask' };
      const keys = contentsByCode(only, world).map((content) => sortKey(content, field));
      return { kind: 'code', field: only.field, always: only.always, keys };
    }
    case 'project':
      return { kind: 'project', keys: world.columns.projectKeys.map((key) => sortKey(key, field)) };
    case 'created':
    case 'updated':
    case 'resolved':
      return { kind: source.kind };
    case 'finished':
      return { kind: source.kind, statuses: source.statuses };
    default:
      return { kind: 'ask' };
  }
}

/** The steps of a key: its project, then its number. */
function keySteps(descends: boolean, { columns }: JqlWorld): readonly Step[] {
  return [
    {
      keyOf: ({ issue }) => keyParts(issue.key)[0],
      descends,
      column: { kind: 'project', keys: columns.projectKeys },
    },
    { keyOf: ({ issue }) => sortableId(keyParts(issue.key)[1]), descends, column: { kind: 'number' } },
  ];
}

/** Several values are ordered as the list of them reads. */
function sortKey(content: Content | UnknownInstant, { values }: JqlField): SortKey {
  if (content === UNCERTAIN || isUnknownInstant(content)) return null;
  const keys = itemsIn(content).map((item) => values.sortKey(item));
  const key = Array.isArray(content) && keys.length > 0 ? keys.join(', ') : (keys[0] ?? null);
  return typeof key === 'number' && Number.isNaN(key) ? null : key;
}

function* rankSteps(steps: readonly Step[], loaded: LoadedRows): Generator<void, RowOrder> {
  const places = yield* sortedBy(loaded.rows.length, (a, b) => (loaded.rows[a] ?? 0) - (loaded.rows[b] ?? 0));
  const rows = places.map((i) => loaded.rows[i] ?? 0);
  const ranked: { readonly step: RowStep; readonly own: LoadedPlaces }[] = [];
  for (const [i, { column, descends }] of steps.entries()) {
    yield;
    const keys: SortKey[] = [];
    yield* forEach(places.length, (at) => keys.push(loaded.keys[places[at] ?? 0]?.[i] ?? null));
    switch (column.kind) {
      case 'code':
      case 'project': {
        const found = yield* placesOf(column.keys.concat(keys));
        const step: RowStep = { ...column, descends, places: found.subarray(0, column.keys.length) };
        ranked.push({ step, own: found.subarray(column.keys.length) });
        break;
      }
      case 'number':
        ranked.push({ step: { kind: 'number', descends }, own: yield* placesOfNumbers(keys) });
        break;
      case 'ask':
        ranked.push({ step: { kind: 'ask', descends }, own: yield* placesOf(keys) });
        break;
      case 'text': {
        const texts: (string | null)[] = [];
        yield* forEach(keys.length, (at) => {
          const key = keys[at] ?? null;
          texts.push(key === null ? null : String(key));
        });
        ranked.push({ step: { ...column, descends }, own: texts });
        break;
      }
      default: {
        const instants = new Float64Array(keys.length);
        yield* forEach(keys.length, (at) => {
          const key = keys[at];
          instants[at] = typeof key === 'number' ? key : LAST;
        });
        const step: RowStep =
          column.kind === 'finished'
            ? { ...column, descends }
            : { kind: 'instant', column: column.kind, descends };
        ranked.push({ step, own: instants });
      }
    }
  }
  return { steps: ranked.map(({ step }) => step), loaded: { rows, places: ranked.map(({ own }) => own) } };
}

/** Numbers gone through between two pauses. */
const AT_ONCE = 4_096;

/** Goes through the numbers below `length`, in short steps. */
function* forEach(length: number, use: (i: number) => void): Generator<void, void> {
  for (let i = 0; i < length; i += 1) {
    if (i % AT_ONCE === 0) yield;
    use(i);
  }
}

/** The places of keys among each other: equal ones have the same. */
function* placesOf(keys: readonly SortKey[]): Generator<void, Float64Array> {
  const places = new Float64Array(keys.length);
  const order = yield* sortedBy(keys.length, (a, b) => compareKeys(keys[a] ?? null, keys[b] ?? null));
  let [rank, before]: [number, SortKey] = [-1, null];
  yield* forEach(order.length, (at) => {
    const i = order[at] ?? 0;
    const key = keys[i] ?? null;
    if (rank === -1 || compareKeys(before, key) !== 0) rank += 1;
    before = key;
    places[i] = key === null ? LAST : rank;
  });
  return places;
}

/** The places of a key's numbers (`sortableId`) among plain ones, which are their own places. */
function* placesOfNumbers(ids: readonly SortKey[]): Generator<void, Float64Array> {
  const others = yield* placesOf(ids);
  const places = new Float64Array(ids.length);
  yield* forEach(ids.length, (i) => {
    places[i] = placeOfNumber(ids[i] ?? null) ?? NO_NUMBER + (others[i] ?? 0) * FAR;
  });
  return places;
}

function placeOfNumber(id: SortKey): number | null {
  const [, written] = /^a.[0-9]* ([0-9]+)$/su.exec(String(id)) ?? [];
  if (written === undefined) return null;
  const number = Number(written);
  // With more zeros in front it comes earlier, but behind all smaller numbers.
  const zeros = written.length - String(number).length;
  return zeros > 0 ? number - 1 + 1 / (zeros + 1) : number;
}

/** Places beyond all numbers of keys, far enough from each other for sums to differ. */
const NO_NUMBER = 1e300;
const FAR = 1e285;

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareText(String(a), String(b));
}
