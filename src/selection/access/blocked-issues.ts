import { createYieldIfDue, detached, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import {
  type BlockedRowsPlan,
  blockedRows,
  causeBit,
  causesOfCode,
} from '../../engine/columns/blocked-rows.ts';
import { type ColumnArrays, type HistoryArrays, historyFlag } from '../../engine/columns/column-arrays.ts';
import { flowRows } from '../../engine/columns/flow-rows.ts';
import { MissingColumn } from '../../engine/columns/held-fields.ts';
import { BLOCKERS, flagHistory } from '../../engine/columns/history-column.ts';
import { FIRST_VALUE } from '../../engine/columns/value-codes.ts';
import { contentAsOf, EVER } from '../../engine/measure/own-cells.ts';
import {
  blockedVisits,
  blockerVisits,
  type CauseSpan,
  causeValue,
  type HasBlockedVisits,
  type KnownSpan,
  keysIn,
  keysOfBlockers,
  LINKS,
  overlapOf,
  spansOf,
  visitsOfBlocked,
} from '../../engine/visits/blocked-visits.ts';
import { type Visit, visitsAsOf } from '../../engine/visits/timeline.ts';
import type { Directory } from '../../model/directory.ts';
import type { CompiledFlow, Flows } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { isFlag, isFlagName } from '../../model/issues/field-titles.ts';
import { levelOf, projectKeyOf, rolesOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import { rightsOf } from './access-rules.ts';
import type { QueryContext, QueryWorld } from './query-context.ts';
import { partsOf } from './selected-issues.ts';
import type { Mentioned } from './visible-issues.ts';

/** Which links count for a principal, and what an issue counts as in a status. */
export interface BlockedContext
  extends Pick<QueryContext, 'principal' | 'directory' | 'issue' | 'pace' | 'asOf'> {
  readonly flows: Flows;
  /** The fields that are flags. */
  readonly flags: readonly string[];
  /**
   * Keys (upper case) of the projects whose issues count as the other end of a link, unless they are restricted; absent: all
   * that the principal can see.
   */
  readonly linksWithin?: readonly string[] | undefined;
}

/** The ids of the fields that are flags. Of a changelog that names fields by title alone, the title is the id. */
export function flagFields({ fields }: Pick<Directory, 'fields'>, changed: Iterable<string>): string[] {
  const untitled = [...changed].filter((id) => isFlagName(id));
  return [...new Set([...fields.filter(isFlag).map(({ id }) => id), ...untitled])];
}

/** Reads of issues what blocked them, as far as the principal can see it. */
type ReadBlocked = (issues: readonly Issue[]) => Promise<readonly (Issue & HasBlockedVisits)[]>;

/** Creates a reader, which looks up each issue at the other end of a link once. */
export function createBlockedReader(context: BlockedContext): ReadBlocked {
  const { flows, asOf, pace } = context;
  const counts = countsAsBlocker(context);
  const blockers = new Map<string, readonly KnownSpan[]>();

  /** The time in which an issue at the other end of a link is not done; none of one that does not count. */
  async function openTimes(key: string): Promise<readonly KnownSpan[]> {
    const known = blockers.get(key);
    if (known !== undefined) return known;
    await pace();
    const issue = await context.issue(key);
    const open = issue === null || !counts(issue) ? [] : openSpans(issue, flowThen(issue, flows, asOf)).spans;
    blockers.set(key, open);
    return open;
  }

  async function linkSpans(visits: readonly Visit[]): Promise<readonly CauseSpan[]> {
    const spans: CauseSpan[] = [];
    for (const key of new Set(visits.flatMap(({ value }) => keysOfBlockers(value)))) {
      const linked = spansOf(visits, (value) => keysOfBlockers(value).includes(key));
      for (const open of await openTimes(key)) {
        for (const one of linked) {
          const both = overlapOf(one, open);
          if (both !== null) spans.push({ ...both, value: causeValue.link(key) });
        }
      }
    }
    return spans;
  }

  async function visitsOf(issue: Issue): Promise<readonly Visit[]> {
    const flow = flowThen(issue, flows, asOf);
    const { blockedBy } = flow;
    const { spans: open, statuses } = openSpans(issue, flow);
    const flags = blockedBy.flag ? context.flags.map((field) => visitsAsOf(issue, field, EVER)) : [];
    const links = blockedBy.links ? blockerVisits(issue, EVER) : [];
    const unknown = [statuses, ...flags, links].flatMap((visits) => visits.filter(({ known }) => !known));
    return blockedVisits({
      created: issue.created,
      until: EVER,
      open,
      causes: [
        ...flags.flatMap((visits) =>
          spansOf(visits, (value) => value !== null).map((span) => ({ ...span, value: causeValue.flag })),
        ),
        ...blockedBy.statuses.flatMap((status) =>
          spansOf(statuses, (value) => value?.id === status.id).map((span) => ({
            ...span,
            value: causeValue.status(status),
          })),
        ),
        ...(await linkSpans(links)),
      ],
      gap:
        unknown.length === 0
          ? null
          : {
              start: Math.min(...unknown.map(({ start }) => start)),
              end: Math.max(...unknown.map(({ end }) => end)),
            },
    });
  }

  return async (issues) => {
    const read: (Issue & HasBlockedVisits)[] = [];
    for (const issue of issues) {
      await pace();
      read.push({ ...issue, [visitsOfBlocked]: await visitsOf(issue) });
    }
    return read;
  };
}

/** Returns true for an issue that counts as the other end of a link. */
export function countsAsBlocker({
  principal,
  directory,
  linksWithin,
}: Pick<BlockedContext, 'principal' | 'directory' | 'linksWithin'>): (issue: Issue) => boolean {
  const maySee = rightsOf(principal, directory);
  if (linksWithin === undefined) return maySee;
  const projects = new Set(linksWithin);
  return (issue) =>
    projects.has(projectKeyOf(issue).toUpperCase()) &&
    levelOf(issue) === null &&
    rolesOf(issue) === null &&
    maySee(issue);
}

/** The flow of an issue, by the type that it had at an instant. */
function flowThen(issue: Issue, flows: Flows, asOf: Instant): CompiledFlow {
  const type = contentAsOf(issue, 'issuetype', asOf);
  const { index } = flows.of(projectKeyOf(issue).toUpperCase(), isValue(type) ? type : null);
  const flow = flows.all[index];
  if (flow === undefined) throw new Error(`There is no flow ${index}.`);
  return flow;
}

/** The time in which an issue is not done, as far as its history shows it, and the visits of its statuses. */
function openSpans(issue: Issue, { kindOf }: CompiledFlow) {
  const statuses = visitsAsOf(issue, 'status', EVER);
  return { statuses, spans: spansOf(statuses, (value) => value !== null && kindOf(value.id) !== 'done') };
}

/** The times in which issues that a principal sees were blocked, and the rows of those at the other ends of links. */
interface BlockedFound {
  readonly history: HistoryArrays;
  /** By code of `BLOCKERS`: the rows of the issues that count as the other ends of links. */
  readonly blockers: readonly (Uint32Array | undefined)[];
  /** The result of `linkedRows` for all issues together, once it has been requested. */
  ofAll: LinkedRows | null;
}

/** Those found before, the one used last at the end. */
const known: {
  readonly mentioned: Mentioned;
  readonly flows: Flows;
  readonly key: string;
  readonly found: Promise<BlockedFound>;
}[] = [];

/** Each takes seven bytes for each issue, and more for those that were blocked. */
const MAX_KNOWN = 4;

/**
 * Finds what blocked all issues that a principal sees, once for one version of the columns; null where columns cannot hold what
 * is needed. Fails with `MissingColumn` where they do not hold it yet. The columns must not be written to meanwhile.
 */
export async function blockedInColumns(
  world: QueryWorld,
  { flows, flags, asOf, linksWithin }: Pick<BlockedContext, 'flows' | 'flags' | 'asOf' | 'linksWithin'>,
): Promise<BlockedFound | null> {
  const { mentioned, table } = world;
  const { columns } = table;
  const fields = decidingFields(flows, flags, mentioned);
  const needed = [...fields.flags.map(flagHistory), ...(fields.hasLinks ? [BLOCKERS] : [])];
  if (needed.some((field) => columns.histories.isTooLong(field))) return null;
  const missing = needed.filter((field) => !columns.histories.has(field));
  if (missing.length > 0)
    throw new MissingColumn(...missing.map((field) => ({ field, as: 'history' }) as const));
  // Only where the flow of an issue depends on its type, columns may not show it as of an instant before its last update.
  const isThen = flows.byType && isBeforeUpdates(columns.arrays(), asOf);
  const key = JSON.stringify([needed, linksWithin ?? null, isThen ? asOf : null]);
  const at = known.findIndex((one) => one.mentioned === mentioned && one.flows === flows && one.key === key);
  const [before] = at < 0 ? [] : known.splice(at, 1);
  const entry = before ?? {
    mentioned,
    flows,
    key,
    // The first request may end; others for the same issues still wait.
    found: detached(async () => {
      const pace = createYieldIfDue();
      const blockers = fields.hasLinks ? await rowsOfBlockers(world, linksWithin, pace) : [];
      const plan = { ...planOf(world, fields.flags, { flows, asOf }), blockers };
      return { history: await blockedRows(columns.arrays(), plan, pace), blockers, ofAll: null };
    }),
  };
  known.push(entry);
  if (known.length > MAX_KNOWN) known.shift();
  const { version } = columns;
  const forget = () => {
    const index = known.indexOf(entry);
    if (index >= 0) known.splice(index, 1);
  };
  entry.found.then(() => columns.version === version || forget(), forget);
  return entry.found;
}

/** Returns true where an issue was updated after an instant. */
function isBeforeUpdates({ rows, updated }: ColumnArrays, asOf: Instant): boolean {
  for (let row = 0; row < rows; row += 1) if ((updated[row] ?? 0) > asOf) return true;
  return false;
}

/** The fields of all issues that a principal sees from which it follows what blocked them. */
function decidingFields({ all }: Flows, flags: readonly string[], { fields, changed }: Mentioned) {
  const isThere = (field: string) => fields.has(field) || changed.has(field);
  return {
    flags: all.some(({ blockedBy }) => blockedBy.flag) ? flags.filter(isThere) : [],
    hasLinks: all.some(({ blockedBy }) => blockedBy.links) && isThere(LINKS),
  };
}

function planOf(
  world: QueryWorld,
  flags: readonly string[],
  { flows, asOf }: Pick<BlockedContext, 'flows' | 'asOf'>,
): Omit<BlockedRowsPlan, 'blockers'> {
  const { columns } = world.table;
  const { all } = flows;
  const statuses = columns.values('status');
  const byStatus = (isIn: (id: string) => boolean) =>
    Uint8Array.from({ length: statuses.size }, (_, code) => {
      const value = statuses.at(code);
      return Number(isValue(value) && isIn(value.id));
    });
  const blocking = all.map(({ blockedBy }) => {
    const ids = new Set(blockedBy.statuses.map(({ id }) => id));
    return ids.size === 0 ? new Uint8Array() : byStatus((id) => ids.has(id));
  });
  return {
    asOf,
    flags,
    blocking,
    flows: flowRows(flows, columns),
    byFlag: Uint8Array.from(all, ({ blockedBy }) => Number(blockedBy.flag)),
    byLink: Uint8Array.from(all, ({ blockedBy }) => Number(blockedBy.links)),
    open: all.map(({ kindOf }) => byStatus((id) => kindOf(id) !== 'done')),
  };
}

/** By code of `BLOCKERS`: the rows of the issues that count as the other end of a link. */
async function rowsOfBlockers(
  { table: { columns }, known: issues, formerKeys }: QueryWorld,
  linksWithin: readonly string[] | undefined,
  pace: YieldIfDue,
): Promise<readonly (Uint32Array | undefined)[]> {
  const { accessClass } = columns.arrays();
  const isWithin = (row: number) => {
    const own = columns.classes.all[accessClass[row] ?? 0];
    if (own === undefined || own.level !== null || own.roles !== null) return false;
    return linksWithin?.includes(own.projectKey.toUpperCase()) === true;
  };
  const rowsOfKey = (key: string) => {
    const own = issues.rowsOfKey(key);
    const rows = own.length > 0 ? own : issues.rowsOfKey(formerKeys.get(key) ?? '');
    return linksWithin === undefined ? rows : rows.filter(isWithin);
  };
  const values = columns.histories.find(BLOCKERS)?.values;
  const found: (Uint32Array | undefined)[] = [];
  for (let code = FIRST_VALUE; code < (values?.size ?? 0); code += 1) {
    const pause = pace();
    if (pause !== null) await pause;
    const content = values?.at(code);
    const rows = typeof content === 'string' ? keysIn(content).flatMap(rowsOfKey) : [];
    if (rows.length > 0) found[code] = Uint32Array.from(rows);
  }
  return found;
}

/** The issues at the other ends of the links that blocked rows, as they count for a principal. */
interface LinkedRows {
  readonly linked: Uint32Array;
  /** The rows whose links columns do not have. */
  readonly needIssue: Uint32Array;
}

/** Finds the issues at the other ends of the links that blocked rows. The columns must not be written to meanwhile. */
export async function linkedRows(
  { table: { columns }, count: visible }: QueryWorld,
  rows: Uint32Array,
  found: BlockedFound,
  { pace }: Pick<BlockedContext, 'pace'>,
): Promise<LinkedRows> {
  const isAll = rows.length === visible;
  if (isAll && found.ofAll !== null) return found.ofAll;
  const { history, blockers } = found;
  const links = columns.arrays().histories[BLOCKERS];
  const { count, flags } = history;
  const linked = new Set<number>();
  const needIssue: number[] = [];
  if (links === undefined) return { linked: new Uint32Array(), needIssue: new Uint32Array() };
  for await (const part of partsOf(rows, pace)) {
    for (let i = 0; i < part.length; i += 1) {
      const row = part[i] ?? 0;
      // Hardly any issue was blocked.
      if ((count[row] === 0 && flags[row] === 0) || !mayBeLinked(history, row)) continue;
      if (((links.flags[row] ?? 0) & historyFlag.needsIssue) !== 0) needIssue.push(row);
      const first = links.at[row] ?? 0;
      const end = first + (links.count[row] ?? 0);
      for (let visit = first; visit < end; visit += 1)
        for (const other of blockers[links.codes[visit] ?? 0] ?? []) linked.add(other);
    }
  }
  const ofRows = { linked: Uint32Array.from(linked), needIssue: Uint32Array.from(needIssue) };
  if (isAll) found.ofAll = ofRows;
  return ofRows;
}

/** Returns true where a link blocked a row, or columns do not say. */
function mayBeLinked({ at, count, codes, flags }: HistoryArrays, row: number): boolean {
  if (((flags[row] ?? 0) & historyFlag.needsIssue) !== 0) return true;
  const first = at[row] ?? 0;
  const end = first + (count[row] ?? 0);
  for (let visit = first; visit < end; visit += 1)
    if ((causesOfCode(codes[visit] ?? 0) & causeBit.link) !== 0) return true;
  return false;
}
