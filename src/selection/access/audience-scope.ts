import type { AccessClass } from '../../engine/columns/access-classes.ts';
import { rowFlag } from '../../engine/columns/column-arrays.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { FIRST_VALUE, type ValueCodes } from '../../engine/columns/value-codes.ts';
import { EVER, valueAsOf } from '../../engine/measure/own-cells.ts';
import { blockerVisits, keysOfBlockers } from '../../engine/visits/blocked-visits.ts';
import type { FieldContent, Instant, Issue } from '../../model/issue.ts';
import { changesOf, levelOf, projectKeyOf, rolesOf } from '../../model/issues/issue-fields.ts';
import { elementsOf } from '../../model/issues/value-sets.ts';
import type { AudienceScope } from '../../model/request.ts';
import { type BlockedContext, countsAsBlocker } from './blocked-issues.ts';
import { hideContent, issueKeysIn, type ReadableKeys } from './hide-closed-keys.ts';
import type { QueryContext } from './query-context.ts';
import { eachIssue, partsOf, type Read, rowIssues, type SelectedIssues } from './selected-issues.ts';

/** Ids of the fields that are reported of issues beside their figures, as of an instant. */
export interface ReportedFields {
  /** Fields of which the contents then are reported. */
  readonly now: readonly string[];
  /** All they ever held. */
  readonly ever: readonly string[];
  readonly asOf: Instant;
}

/** The parts with which the scope of issues is found. `classes`: how many are of each access class, where that is known. */
interface ScopeParts {
  readonly context: Pick<QueryContext, 'issue' | 'directory' | 'pace'>;
  readonly keys: Pick<ReadableKeys, 'hiddenIn'>;
  readonly read: Read;
  readonly classes?: readonly number[] | null;
}

/**
 * The scope that decides who else can read an answer about these issues; the keys of other issues in what is reported
 * of them count as well. For rows it comes from access classes and columns, where these hold all that is reported.
 */
export async function audienceScopeOf(
  selected: SelectedIssues,
  reported: ReportedFields,
  parts: ScopeParts,
): Promise<AudienceScope> {
  const { now, ever } = reported;
  const { rowSelection } = selected;
  const columns = rowSelection?.visible.table.columns;
  if (rowSelection !== null && columns !== undefined) {
    const scope = scopeOfClasses(parts.classes ?? classesOf(rowSelection.rows, columns), columns);
    if (now.length + ever.length === 0) return scope;
    const isHeld = [...now, ...ever].every((field) => columns.hasField(field));
    if (isHeld && ever.every((field) => columns.histories.has(field))) {
      return withProjectsOf(await keysInRows(rowSelection, reported, parts), scope, parts.context);
    }
  }
  const keys = new Set<string>();
  const { add, scope } = createTally();
  await eachIssue(selected, { read: parts.read, pace: parts.context.pace }, (issue) => {
    add({ projectKey: projectKeyOf(issue), level: levelOf(issue), roles: rolesOf(issue) }, 1);
    noteKeysReported(issue, reported, keys);
  });
  return withProjectsOf(keys, scope(), parts.context);
}

/** The keys in what rows hold of fields that columns hold. */
async function keysInRows(
  { rows, visible }: NonNullable<SelectedIssues['rowSelection']>,
  reported: ReportedFields,
  { context: { pace }, keys: readable, read }: ScopeParts,
): Promise<ReadonlySet<string>> {
  const { columns } = visible.table;
  const arrays = columns.arrays();
  const { flags, updated } = arrays;
  // Together, before others get their turn: a history can be let go meanwhile.
  const histories = reported.ever.flatMap((field) => {
    const [history, found] = [arrays.histories[field], columns.histories.find(field)];
    return history === undefined || found === null ? [] : [{ ...history, field, values: found.values }];
  });
  const isSettled = (row: number) =>
    ((flags[row] ?? 0) & rowFlag.odd) === 0 &&
    (updated[row] ?? 0) <= reported.asOf &&
    histories.every((history) => history.flags[row] === 0);
  const keys = new Set<string>();
  const noteCodes = async (
    field: string,
    values: ValueCodes,
    mark: (row: number, isFound: Uint8Array) => void,
  ) => {
    const hidden = await readable.hiddenIn(field);
    const isFound = new Uint8Array(values.size);
    for await (const part of partsOf(rows, pace))
      for (const row of part) if (isSettled(row)) mark(row, isFound);
    for (let code = FIRST_VALUE; code < isFound.length; code += 1) {
      const pause = pace();
      if (pause !== null) await pause;
      const content = isFound[code] === 1 ? (values.at(code) ?? null) : null;
      noteKeysIn(hidden === null ? content : hideContent(content, hidden.closed), keys);
    }
  };
  for (const field of reported.now) {
    const { codes, values } = columns.field(field);
    await noteCodes(field, values, (row, isFound) => {
      isFound[codes[row] ?? 0] = 1;
    });
  }
  for (const { field, values, at, count, codes } of histories) {
    // The first value of a settled row and the values that changes led to are all that there ever was.
    await noteCodes(field, values, (row, isFound) => {
      const first = at[row] ?? 0;
      const end = first + (count[row] ?? 0);
      for (let visit = first; visit < end; visit += 1) isFound[codes[visit] ?? 0] = 1;
    });
  }
  const unsettled: number[] = [];
  for await (const part of partsOf(rows, pace))
    for (const row of part) if (!isSettled(row)) unsettled.push(row);
  await eachIssue(rowIssues(Uint32Array.from(unsettled), visible, 0), { read, pace }, (issue) => {
    noteKeysReported(issue, reported, keys);
  });
  return keys;
}

/** The number of rows of each access class. */
export function classesOf(rows: Uint32Array, columns: IssueColumns): ArrayLike<number> {
  const { accessClass } = columns.arrays();
  const counts = new Uint32Array(columns.classes.all.length);
  for (let i = 0; i < rows.length; i += 1) {
    const code = accessClass[rows[i] ?? 0] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** The scope of issues by their number in each access class, of which nothing is reported beside figures. */
export function scopeOfClasses(counts: ArrayLike<number>, { classes }: IssueColumns): AudienceScope {
  const { add, scope } = createTally();
  for (const [code, one] of classes.all.entries()) add(one, counts[code] ?? 0);
  return scope();
}

/** The issues at the other end of the links that may block some issues, as they count for a principal. */
export async function scopeOfLinks(
  selected: SelectedIssues,
  context: BlockedContext,
): Promise<AudienceScope> {
  const { pace } = context;
  const counts = countsAsBlocker(context);
  const keys = new Set<string>();
  await eachIssue(selected, { read: async (issues) => issues, pace }, (issue) => {
    for (const { value } of blockerVisits(issue, EVER))
      for (const key of keysOfBlockers(value)) keys.add(key);
  });
  const { add, scope } = createTally();
  for (const key of keys) {
    await pace();
    const issue = await context.issue(key);
    if (issue !== null && counts(issue))
      add({ projectKey: projectKeyOf(issue), level: levelOf(issue), roles: rolesOf(issue) }, 1);
  }
  return scope();
}

function createTally() {
  const projects = new Set<string>();
  let [issues, withLevel, withRoles] = [0, 0, 0];
  return {
    add({ projectKey, level, roles }: Pick<AccessClass, 'projectKey' | 'level' | 'roles'>, count: number) {
      if (count === 0) return;
      projects.add(projectKey.toUpperCase());
      issues += count;
      if (level !== null || roles !== null) withLevel += count;
      if (roles !== null) withRoles += count;
    },
    scope: (): AudienceScope => ({
      projects: [...projects].sort(),
      issues,
      withLevel,
      ...(withRoles > 0 ? { withRoles } : {}),
    }),
  };
}

async function withProjectsOf(
  keys: ReadonlySet<string>,
  scope: AudienceScope,
  { issue, directory }: ScopeParts['context'],
): Promise<AudienceScope> {
  const projects = new Set(scope.projects);
  for (const key of keys) {
    const project = projectKeyOf({ key });
    if (projects.has(project)) continue;
    const hasRule = directory.access.some(
      ({ kind, id }) => kind === 'project' && id.toUpperCase() === project,
    );
    // A word that only looks like a key, such as UTF-8, belongs to no project.
    const isProject = hasRule || directory.permissions?.projects.has(project) || (await issue(key)) !== null;
    if (isProject) projects.add(project);
  }
  return { ...scope, projects: [...projects].sort() };
}

function noteKeysReported(issue: Issue, { now, ever, asOf }: ReportedFields, keys: Set<string>): void {
  for (const field of [...now, ...ever]) noteKeysIn(valueAsOf(issue, field, asOf), keys);
  for (const field of ever) {
    for (const { from, to } of changesOf(issue, field)) {
      noteKeysIn(from, keys);
      noteKeysIn(to, keys);
    }
  }
}

function noteKeysIn(content: FieldContent, keys: Set<string>): void {
  for (const value of elementsOf(content)) for (const key of issueKeysIn(value)) keys.add(key);
}
