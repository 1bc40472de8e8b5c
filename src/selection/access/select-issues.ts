import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { dayText, instantFields, instantText } from '../../engine/measure/own-cells.ts';
import type { Directory } from '../../model/directory.ts';
import { AppError, about } from '../../model/error.ts';
import type { FieldContent, FieldValue, Issue, Status, User } from '../../model/issue.ts';
import { changesOf, contentOf, isUnsupported, projectKeyOf } from '../../model/issues/issue-fields.ts';
import type { ReportRequest } from '../../model/request.ts';
import { rightsOf } from './access-rules.ts';
import { type CompiledSelection, compileSelection } from './compile-selection.ts';
import { keysAmong, keysInTable, type ReadableKeys } from './hide-closed-keys.ts';
import type { QueryContext } from './query-context.ts';
import { inOwnOrder, loadedIssues } from './selected-issues.ts';
import { isProjectId } from './status-catalog.ts';
import { type ContentKind, mentionedPeople, type VisibleIssues } from './visible-issues.ts';

/** The issues of a request: by which query, what is known of them, and, once asked for, which they are. */
export interface ResolvedSelection extends CompiledSelection {
  /** The fields there are: one that these issues lack others may have. */
  readonly fieldsKnown: KnownFields;
  /** Returns true where an issue is or was in the status with an id, as far as the principal can see. */
  hasStatus(id: string): boolean;
  /** The statuses the principal can know of, in workflow order, and what else is known beside the issues. */
  readonly statuses: ReadonlyMap<string, Status>;
  readonly directory: Directory;
  /** The people the principal can know of, as far as these issues mention them. */
  readonly users: ReadonlyMap<string, User>;
  /** The keys in the issues that the principal can read. */
  readonly keys: ReadableKeys;
  /** All issues the principal can see; null where these are selected by their keys. */
  readonly visible: VisibleIssues | null;
}

/**
 * Resolves what a request selects, by key, or by a query over all that the principal can see. Fails with `unknown-issue`,
 * `unknown-name` or `invalid-query`, and where the tracker cannot be read with `tracker-unavailable`.
 */
export async function resolveSelection(
  request: ReportRequest,
  context: QueryContext,
): Promise<ResolvedSelection> {
  const { selection, dateRange } = request;
  if (selection.by === 'keys') {
    const issues = await issuesOf([...new Set(selection.keys.map((key) => key.toUpperCase()))], context);
    // Names that the issues themselves mention need no lookup; names from the principal do.
    const world = needsLookup(request, issues) ? await context.world() : null;
    const { statuses, fields } = world?.vocabulary ?? {
      statuses: await statusesFor(request, issues, context),
      fields: context.directory.fields,
    };
    return {
      fieldsKnown: world === null ? await fieldsOfLoaded(issues, context.pace) : fieldsOfVisible(world),
      hasStatus: (id) => issues.some((issue) => isOrWasIn(issue, id)),
      statuses,
      directory: { ...context.directory, fields },
      users: await context.people(mentionedPeople(issues)),
      keys: keysAmong(issues, context),
      visible: null,
      query: null,
      dependsOnPrincipal: false,
      choose: async () => inOwnOrder(loadedIssues(issues, 0)),
    };
  }
  const world = await context.world();
  const { statuses, sprints, fields, users } = world.vocabulary;
  const directory = { ...context.directory, sprints, fields };
  // The selection may include these issues: too little is known about them to decide.
  const unread = context.unread.filter(
    (one) => selection.by !== 'project' || projectKeyOf(one) === selection.project.toUpperCase(),
  ).length;
  const compiled = await compileSelection(selection, dateRange, { ...context, directory, world, unread });
  return {
    fieldsKnown: fieldsOfVisible(world),
    hasStatus: (id) => world.mentioned.statuses().has(id),
    statuses,
    directory,
    users,
    keys: keysInTable(world, context),
    visible: world,
    ...compiled,
  };
}

/**
 * The statuses for some issues. The columns of one issue are in the order in which it came to them: where the tracker says
 * all about its statuses, the others need not be here, which may take a while.
 */
async function statusesFor(
  { statistic }: ReportRequest,
  issues: readonly Issue[],
  { orderedStatuses, statuses }: QueryContext,
): Promise<ReadonlyMap<string, Status>> {
  const isSettled = (value: FieldValue | null) => {
    const status = value === null ? undefined : orderedStatuses.get(value.id);
    if (status === undefined) return true;
    const { category, deleted, scope } = status;
    return category !== 'Undefined' && !deleted && !isProjectId(scope ?? '');
  };
  const [issue, ...others] = issues;
  if (issue === undefined || others.length > 0 || statistic !== null) return statuses();
  const isAllSettled =
    isSettled(issue.status) &&
    changesOf(issue, 'status').every(({ from, to }) => isSettled(from) && isSettled(to));
  if (isAllSettled) return orderedStatuses;
  const all = await statuses();
  const own = all.get(issue.status.id);
  // If not all issues are here yet, nothing else says that an issue is in it.
  return own?.deleted === true ? new Map(all).set(own.id, { ...own, deleted: false }) : all;
}

function isOrWasIn(issue: Issue, status: string): boolean {
  if (issue.status.id === status) return true;
  return changesOf(issue, 'status').some(({ from, to }) => from?.id === status || to?.id === status);
}

/** A status that is named, or a field that not every one of these issues has, may be one of closed issues only. */
function needsLookup(
  { statuses, consolidated, metrics, fields, groupBy, historyFields }: ReportRequest,
  issues: readonly Issue[],
): boolean {
  const own = (field: string) => issues.every((issue) => Object.hasOwn(issue.fields, field));
  return (
    statuses !== null ||
    consolidated.length > 0 ||
    metrics.length > 0 ||
    ![...fields, ...groupBy, ...historyFields].every(own)
  );
}

/** More issues at a time would keep others waiting. */
const READ_AT_ONCE = 50;

async function issuesOf(keys: readonly string[], context: QueryContext): Promise<Issue[]> {
  const maySee = rightsOf(context.principal, context.directory);
  const found: { readonly key: string; readonly issue: Issue | null }[] = [];
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    const some = keys.slice(from, from + READ_AT_ONCE).map(async (key) => {
      const issue = await context.issue(key);
      return { key, issue: issue !== null && maySee(issue) ? issue : null };
    });
    found.push(...(await Promise.all(some)));
    await context.pace();
  }
  const missing = found.filter(({ issue }) => issue === null || issue.created > context.asOf);
  if (missing.length > 0) {
    const absent = missing.flatMap(({ key, issue }) => (issue === null ? key : []));
    assertRead(absent, context);
    await context.settled();
    throw new AppError(
      'unknown-issue',
      'The issue could not be found or you do not have permission to view it.',
      missing.map(({ key, issue }) =>
        issue === null
          ? about('issueKey', `'${key}' could not be found.`)
          : about('issueKey', `'${key}' did not exist at the asked instant.`),
      ),
      { data: { field: 'issueKey', keys: missing.map(({ key }) => key) } },
    );
  }
  // Several keys may lead to one issue.
  return [...new Map(found.flatMap(({ issue }) => (issue === null ? [] : [[issue.key, issue]]))).values()];
}

function assertRead(keys: readonly string[], { unread, principal }: QueryContext): void {
  const known = unread.filter(({ key }) => keys.includes(key));
  if (known.length === 0) return;
  const names = known.map(({ key }) => key);
  throw new AppError(
    'tracker-unavailable',
    `The tracker cannot show ${names.join(', ')} at the moment, so nothing is known about it here. It is tried again automatically.`,
    // Reasons may name what is not for everybody to know.
    principal.rights === 'admin' ? known.map(({ key, reason }) => `${key}: ${reason}`) : [],
    { data: { keys: names } },
  );
}

/** The fields that some issues have, and those that only a change mentions. */
interface KnownFields {
  readonly contents: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly kindOf: (id: string) => Promise<ContentKind>;
}

/** The fields of issues that are loaded; reading the histories of many takes a while. */
export async function fieldsOfLoaded(issues: readonly Issue[], pace: YieldIfDue): Promise<KnownFields> {
  const contents = new Set<string>();
  const changed = new Set<string>();
  for (const { fields, changes } of issues) {
    for (const id in fields) contents.add(id);
    for (const { field } of changes) changed.add(field);
    const pause = pace();
    if (pause !== null) await pause;
  }
  return {
    contents,
    changed,
    async kindOf(id) {
      const search = kindSearch(id);
      for (const issue of issues) if (search.isDone(contentOf(issue, id))) break;
      return search.kind();
    },
  };
}

/** The fields of all issues that a principal can see. */
export function fieldsOfVisible(visible: VisibleIssues): KnownFields {
  const { kinds, mentioned } = visible;
  const { fields, changed } = mentioned;
  return {
    contents: fields,
    changed,
    async kindOf(id) {
      const kind = kinds.get(id) ?? (fields.has(id) ? await kindSeen(id, visible) : kindSearch(id).kind());
      kinds.set(id, kind);
      return kind;
    },
  };
}

/** Among so many issues what a field holds is looked for; where it is not found, columns hold the field from then on. */
const MAX_LOADED = 2_000;

/** The issues created first are looked at first. */
async function kindSeen(id: string, { table, rows: rowsNow }: VisibleIssues): Promise<ContentKind> {
  const rows = rowsNow();
  const search = kindSearch(id);
  const { columns } = table;
  if (!columns.hasField(id)) {
    for (let end = rows.length, size = 100; end > 0 && rows.length - end < MAX_LOADED; end -= size) {
      const slice = rows.slice(Math.max(0, end - size), end).reverse();
      for (const issue of await table.load(slice)) {
        if (issue !== null && search.isDone(contentOf(issue, id))) return search.kind();
      }
    }
    if (rows.length <= MAX_LOADED) return search.kind();
    await table.hold(id);
    if (columns.isTooLong(id)) return search.kind();
  }
  const { codes, values } = columns.field(id);
  const all = kindSearch(id);
  for (let i = rows.length - 1; i >= 0; i -= 1) if (all.isDone(values.at(codes[rows[i] ?? 0] ?? 0))) break;
  return all.kind();
}

/** The number of contents of a field that are looked at to learn their kind. */
const MAX_CONTENTS = 100;

/** Trackers do not say the type of a field beside its content, so the content must: days and times are written alike. */
function kindSearch(id: string): {
  /** Looks at one content; whether no other need be looked at. */
  isDone(content: FieldContent | undefined): boolean;
  kind(): ContentKind;
} {
  const texts: string[] = [];
  let isText = false;
  let isRefused = false;
  return {
    isDone(content) {
      if (instantFields.includes(id) || isText || isRefused) return true;
      if (content === null || content === undefined || content === '') return false;
      isRefused = isUnsupported(content);
      if (isRefused) return true;
      if (typeof content === 'string') texts.push(content);
      else isText = true;
      return isText || texts.length === MAX_CONTENTS;
    },
    kind() {
      if (isRefused) return 'unsupported';
      if (instantFields.includes(id)) return 'instant';
      if (isText || texts.length === 0) return 'text';
      if (texts.every((text) => dayText.test(text))) return 'day';
      return texts.every((text) => instantText.test(text)) ? 'instant' : 'text';
    },
  };
}
