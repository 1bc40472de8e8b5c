import type { FieldContent, Instant } from '../../model/issue.ts';
import { changesOf, contentOf, ownUpdate } from '../../model/issues/issue-fields.ts';
import { isValue, splitValue } from '../../model/issues/value-sets.ts';
import type { Compilation, IssueThen, JqlWorld, ObservedField } from './jql.ts';
import { isMentioned } from './known-issues.ts';
import {
  type Content,
  type ContentSource,
  type Item,
  itemId,
  type JqlField,
  nameAll,
  UNCERTAIN,
  type Window,
} from './values.ts';

/** The parts of a field that is compared by the contents of one column, as its `read` makes them. */
export function contentField(
  source: ContentSource,
  { now, onRead }: JqlWorld,
): Pick<JqlField, 'source'> & { readonly read: (then: IssueThen) => Content } {
  const { field, always, read } = source;
  onRead?.(field);
  return {
    source: { kind: 'contents', of: [source] },
    read(then) {
      if (!always && isUncertain(then, field, now)) return UNCERTAIN;
      const content = always ? contentOf(then.issue, field) : then.contentOf(field);
      return read(content === undefined ? ownContent(then, field) : content);
    },
  };
}

/** A column of contents that are compared as they are. */
export function contentSource(field: string): ContentSource {
  return { field, read: (content) => content ?? null, always: false };
}

/**
 * A column of lists. The past of such a field is one value that joins them with a comma and a space; no label contains a
 * space, so a space alone divides labels as well.
 */
export function listSource(field: string): ContentSource {
  const divider = dividerOf(field);
  return {
    field,
    always: false,
    read: (content) => (isValue(content) ? splitValue(content, divider) : (content ?? null)),
  };
}

/** The divider between the values of a list that a history has as one value. */
export function dividerOf(field: string): string | RegExp {
  return field === 'labels' ? /,?\s+/ : ', ';
}

/** Only the past of an issue can be uncertain: what the tracker shows last, it shows whatever the history lacks. */
function isUncertain({ issue, visitsOf }: IssueThen, field: string, now: Instant): boolean {
  if (issue.history.complete || now >= issue.updated) return false;
  return visitsOf(field).at(-1)?.known === false;
}

/** The content that an issue has beside its fields. */
function ownContent({ issue }: IssueThen, field: string): FieldContent {
  switch (field) {
    case 'summary':
      return issue.summary;
    case 'status':
      return issue.status;
    case 'assignee':
      return issue.assignee;
    default:
      return null;
  }
}

/** The id under which Jira Cloud keeps sprints where the name of the field is not known. */
const USUAL = 'customfield_10020';

/** The field of the agile API, and the names of Data Center in changelogs. */
const AGILE = 'sprint';
const OTHERS: readonly string[] = ['closedSprints', 'Sprint'];

/** The fields that hold sprints: those called Sprint, or else the usual one, and the agile API's. */
export function sprintFields({ directory }: Pick<JqlWorld, 'directory'>): readonly string[] {
  const called = directory.fields
    .filter(({ name }) => name.trim().toLowerCase() === 'sprint')
    .map(({ id }) => id);
  return [...new Set([...(called.length > 0 ? called : [USUAL]), AGILE])];
}

/**
 * Reads the sprints of an issue, each once, from all fields that have some. The agile API has those of today
 * only, so of the past the fields that changes are logged for are believed.
 */
export function readSprints(world: JqlWorld): (then: IssueThen) => Content {
  const readers = everySprintField(world).map((field) => ({
    field,
    read: contentField(listSource(field), world).read,
  }));
  return (then) => {
    const { issue } = then;
    const logged =
      world.now < issue.updated ? readers.filter(({ field }) => changesOf(issue, field).length > 0) : [];
    const contents = (logged.length > 0 ? logged : readers).map(({ read }) => read(then));
    if (contents.includes(UNCERTAIN)) return UNCERTAIN;
    const values = contents.flatMap((one) => (one === null || one === UNCERTAIN ? [] : one));
    return eachOnce(values);
  };
}

/** The columns of sprints: of the fields that some issue has. */
export function sprintSources(world: JqlWorld): readonly ContentSource[] {
  const { all } = world.columns.classes;
  return everySprintField(world)
    .filter((field) => all.some(({ fields }) => fields.has(field)))
    .map((field) => {
      const { read, ...source } = listSource(field);
      return {
        ...source,
        read: (content) => {
          const list = read(content);
          return typeof list === 'object' && list !== null && 'length' in list ? eachOnce(list) : list;
        },
      };
    });
}

/** All fields that may hold sprints, or changes of sprints. */
export function everySprintField(known: Pick<JqlWorld, 'directory'>): readonly string[] {
  return [...new Set([...sprintFields(known), ...OTHERS])];
}

function eachOnce(values: readonly Item[]): readonly Item[] {
  return [...new Map(values.map((one) => [itemId(one), one])).values()];
}

/**
 * When the tracker says that an issue was updated, and before that when it was last changed as far as it had come; a
 * lost change may have come after the last one known.
 */
export function readUpdated({ issue }: IssueThen, { now }: JqlWorld): Instant | typeof UNCERTAIN {
  const shown = ownUpdate(issue) ?? issue.updated;
  if (shown <= now) return shown;
  const last = issue.changes.reduce(
    (latest, { at }) => (at <= now ? Math.max(latest, at) : latest),
    issue.created,
  );
  const lost = lostTime({ issue }, now);
  return lost !== null && lost.until > last + 1 ? UNCERTAIN : last;
}

/**
 * When an issue was resolved as it stood then. Trackers keep the last time only; what came before it is found in the
 * history of the resolution, where there is one.
 */
export function readResolved(
  { issue, visitsOf }: IssueThen,
  { now }: JqlWorld,
): Instant | null | typeof UNCERTAIN {
  const { resolved, updated } = issue;
  const shown = resolved !== null && resolved <= now ? resolved : null;
  if (now >= updated || changesOf(issue, 'resolution').length === 0) return shown;
  let since: Instant | null | typeof UNCERTAIN = null;
  for (const { known, value, start } of visitsOf('resolution')) {
    if (!known) since = UNCERTAIN;
    else if (value === null) since = null;
    else if (since === null) since = start;
  }
  return since === UNCERTAIN && shown !== null ? shown : since;
}

/** When changes of an issue may be missing up to now; null where none can be. */
export function lostTime(
  { issue: { history, created } }: Pick<IssueThen, 'issue'>,
  now: Instant,
): Window | null {
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = Math.min(history.unknownUntil ?? now + 1, now + 1);
  return from < until ? { from, until } : null;
}

/** The words of a field in the issues that the principal can see, as the principal can read them. */
export function observedIn(field: string, { world, lookedUp, isPast }: Compilation): ObservedField {
  if (isMentioned(field, world.columns)) {
    // Reading what a field was at one go with what it is takes little longer.
    if (isPast && !world.columns.hasField(field)) world.hasColumn(field, 'history');
    if (!world.hasColumn(field)) return nothingObserved;
  }
  const redact = world.redact?.get(field);
  if (redact === undefined) return world.known.observed(field);
  const known = lookedUp.redacted.get(field) ?? world.known.observed(field, redact);
  lookedUp.redacted.set(field, known);
  return known;
}

const nothingObserved: ObservedField = {
  today: nameAll([]),
  former: nameAll([]),
  lists: false,
  values: false,
  numbers: false,
  texts: new Set(),
};
