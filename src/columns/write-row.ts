import { contentOf, ownUpdate } from '../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Instant, Issue } from '../model/issue.ts';
import {
  type ColumnName,
  columnNames,
  columnUnit,
  FIRST_VISIT,
  NEW_ROW,
  resize,
  roomFor,
  rowFlag,
  STATUS_CODE,
} from './column-arrays.ts';
import type { ColumnParts } from './column-parts.ts';
import { ABSENT } from './value-codes.ts';

/** One value of a history: `value` undefined is unknown time, null no value. */
interface HeldVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
}

/** An issue with the histories that columns hold: the whole ones, as of any time after the last change. */
export interface RowContent {
  readonly issue: Issue;
  readonly statuses: readonly HeldVisit[];
  readonly assignees: readonly HeldVisit[];
}

const MOST_COUNTED = 0xffff;

/** Gives an issue a new row, which is still to be written. */
export function addRow(
  { arrays, used, fields, index, order }: ColumnParts,
  storeId: number,
  issue: Issue,
): number {
  const row = used.rows;
  used.rows += 1;
  used.alive += 1;
  if (used.rows > arrays.created.length) {
    const length = roomFor(used.rows);
    for (const name of columnNames) if (columnUnit(name) === 'rows') resize(arrays, name, length);
    for (const grow of fields.growing(length, length)) grow();
  }
  arrays.flags[row] = NEW_ROW;
  index.add(row, { storeId, key: issue.key });
  arrays.created[row] = issue.created;
  order.add(row);
  return row;
}

/** Writes all there is to say of an issue to its row. */
export function writeRow(parts: ColumnParts, row: number, { issue, statuses, assignees }: RowContent): void {
  const { arrays, classes, fields } = parts;
  arrays.updated[row] = issue.updated;
  arrays.ownUpdate[row] = ownUpdate(issue) ?? issue.updated;
  arrays.resolved[row] = issue.resolved ?? Number.NaN;
  const accessClass = classes.codeOf(issue);
  joinClass(parts, row, accessClass);
  const storeId = arrays.storeId[row] ?? 0;
  classes.note(accessClass, storeId, issue);
  fields.write({ row, accessClass, storeId, issue });
  const fits = writeVisits(parts, row, statuses) && writeSpans(parts, row, assignees);
  const isOdd = !fits || !showsItself(issue);
  const contradicts = !(isChain(issue, 'status', statuses) && isChain(issue, 'assignee', assignees));
  arrays.flags[row] =
    (issue.history.complete ? 0 : rowFlag.cut) |
    (isOdd ? rowFlag.odd : 0) |
    (contradicts ? rowFlag.contradicts : 0);
}

/** The issue of a row is gone, and so is the row. */
export function retireRow(parts: ColumnParts, row: number): void {
  const { arrays, used, fields, index } = parts;
  used.garbage += (arrays.statusCount[row] ?? 0) + (arrays.assigneeCount[row] ?? 0);
  arrays.statusCount[row] = 0;
  arrays.assigneeCount[row] = 0;
  arrays.flags[row] = rowFlag.dead;
  fields.forget(row);
  leaveClass(parts, row);
  index.forget(row);
  used.alive -= 1;
}

function joinClass(parts: ColumnParts, row: number, accessClass: number): void {
  const { arrays, classes } = parts;
  const isNew = (arrays.flags[row] ?? 0) === NEW_ROW;
  const isSame = !isNew && arrays.accessClass[row] === accessClass;
  if (isSame) {
    doubtMentions(parts, row);
    return;
  }
  if (!isNew) leaveClass(parts, row);
  arrays.accessClass[row] = accessClass;
  classes.enter(accessClass);
}

function leaveClass(parts: ColumnParts, row: number): void {
  const { arrays, classes, fields } = parts;
  doubtMentions(parts, row);
  const accessClass = arrays.accessClass[row] ?? 0;
  const hasOthers = classes.leave(accessClass);
  if (!hasOthers) fields.forgetFormer(accessClass, () => true);
}

/** What is known of a class by the issue of a row may be so no more. */
function doubtMentions({ arrays, classes, fields }: ColumnParts, row: number): void {
  const accessClass = arrays.accessClass[row] ?? 0;
  const id = arrays.storeId[row] ?? 0;
  classes.doubt(accessClass, id);
  for (const some of fields.formerOf(accessClass)) some.doubt(id);
}

function writeVisits(parts: ColumnParts, row: number, visits: readonly HeldVisit[]): boolean {
  if (!hasPlace(parts, row, { of: 'status', count: visits.length })) return false;
  const { statusAt, visitStart, visitStatus } = parts.arrays;
  const at = statusAt[row] ?? 0;
  const values = parts.fields.valuesOf('status');
  const met = new Set<string>();
  let fits = true;
  for (const [i, { value, known, start }] of visits.entries()) {
    const code = known ? values.codeOf(value) : ABSENT;
    if (code > STATUS_CODE) fits = false;
    const isFirst = value !== null && !met.has(value.id);
    if (value !== null) met.add(value.id);
    visitStart[at + i] = start;
    visitStatus[at + i] = (code & STATUS_CODE) | (isFirst ? FIRST_VISIT : 0);
  }
  return fits;
}

function writeSpans(parts: ColumnParts, row: number, spans: readonly HeldVisit[]): boolean {
  if (!hasPlace(parts, row, { of: 'assignee', count: spans.length })) return false;
  const { assigneeAt, spanStart, spanAssignee } = parts.arrays;
  const at = assigneeAt[row] ?? 0;
  const values = parts.fields.valuesOf('assignee');
  for (const [i, { value, known, start }] of spans.entries()) {
    spanStart[at + i] = start;
    spanAssignee[at + i] = known ? values.codeOf(value) : ABSENT;
  }
  return true;
}

const places = {
  status: { at: 'statusAt', counts: 'statusCount', unit: 'visits' },
  assignee: { at: 'assigneeAt', counts: 'assigneeCount', unit: 'spans' },
} as const;

const pools: Record<'visits' | 'spans', readonly ColumnName[]> = {
  visits: columnNames.filter((name) => columnUnit(name) === 'visits'),
  spans: columnNames.filter((name) => columnUnit(name) === 'spans'),
};

/** Sees to it that a row's visits have a place, the one before where it is large enough; false of too many. */
function hasPlace(
  { arrays, used }: ColumnParts,
  row: number,
  { of, count }: { readonly of: 'status' | 'assignee'; readonly count: number },
): boolean {
  const { at, counts, unit } = places[of];
  if (count > MOST_COUNTED) {
    arrays[counts][row] = 0;
    return false;
  }
  const before = arrays[counts][row] ?? 0;
  if (count > before) {
    used.garbage += before;
    arrays[at][row] = used[unit];
    used[unit] += count;
    for (const name of pools[unit]) {
      if (used[unit] > arrays[name].length) resize(arrays, name, roomFor(used[unit]));
    }
  } else used.garbage += before - count;
  arrays[counts][row] = count;
  return true;
}

/** Whether the fields an issue shows are those it is known by. */
function showsItself(issue: Issue): boolean {
  const { status, assignee, project } = issue;
  const [shownStatus, shownAssignee, shownProject] = ['status', 'assignee', 'project'].map((field) =>
    contentOf(issue, field),
  );
  return (
    isSame(shownStatus, status) &&
    isSame(shownAssignee, assignee) &&
    (shownProject === undefined || isSame(shownProject, project))
  );
}

/**
 * Whether each change of a field comes from the very value the one before led to, as the visits have it. Of changes at
 * one instant, or in no order, it is not looked into.
 */
function isChain({ changes }: Issue, field: string, visits: readonly HeldVisit[]): boolean {
  if (visits.length < 2) return true;
  let [rises, falls] = [true, true];
  let [first, last] = [Number.NaN, Number.NaN];
  let count = 0;
  for (const change of changes) {
    if (change.field !== field) continue;
    const { at } = change;
    rises &&= count === 0 || at > last;
    falls &&= count === 0 || at < last;
    if (count === 0) first = at;
    last = at;
    count += 1;
  }
  if (count !== visits.length - 1 || !(rises || falls)) return false;
  let visit = first <= last ? 0 : count - 1;
  const step = first <= last ? 1 : -1;
  for (const change of changes) {
    if (change.field !== field) continue;
    const before = visits[visit]?.value ?? null;
    if (before?.id !== change.from?.id || before?.name !== change.from?.name) return false;
    visit += step;
  }
  return true;
}

function isSame(content: FieldContent | undefined, value: FieldValue | null): boolean {
  if (value === null) return content === null;
  if (content === null || typeof content !== 'object' || !('id' in content)) return false;
  return content.id === value.id && content.name === value.name;
}
