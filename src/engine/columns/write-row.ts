import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { changesOf, contentOf, ownUpdate } from '../../model/issues/issue-fields.ts';
import { newsOf } from '../../model/issues/single-mentions.ts';
import type { SomeMentions } from './access-classes.ts';
import {
  columnNames,
  columnUnits,
  FIRST_VISIT,
  lengthUsed,
  NEW_ROW,
  resize,
  roomFor,
  rowFlag,
  STATUS_CODE,
  stretchFlag,
} from './column-arrays.ts';
import type { ColumnParts } from './column-parts.ts';
import { type HistorySource, type HistoryVisit, isChain } from './history-column.ts';
import { ABSENT, valueIn } from './value-codes.ts';

/** An issue with the histories that columns hold: the whole ones, as of any time after the last change. */
export interface RowContent extends HistorySource {
  readonly issue: Issue;
  readonly statuses: readonly HistoryVisit[];
  readonly assignees: readonly HistoryVisit[];
}

const MAX_COUNTED = 0xffff;

/** Gives an issue a new row, which is still to be written. */
export function addRow(
  { arrays, used, fields, histories, index, order }: ColumnParts,
  storeId: number,
  issue: Issue,
): number {
  const row = used.rows;
  used.rows += 1;
  used.alive += 1;
  if (used.rows > arrays.created.length) {
    const length = roomFor(used.rows);
    for (const name of columnNames) if (columnUnits(name).includes('rows')) resize(arrays, name, length);
    for (const grow of fields.growing(length, length)) grow();
    for (const grow of histories.growing(length, length)) grow();
  }
  arrays.flags[row] = NEW_ROW;
  index.add(row, { storeId, key: issue.key });
  arrays.created[row] = issue.created;
  order.add(row);
  return row;
}

/** Writes an issue to its row. */
export function writeRow(parts: ColumnParts, row: number, content: RowContent): void {
  const { arrays, classes, fields, histories } = parts;
  const { issue, statuses, assignees } = content;
  arrays.updated[row] = issue.updated;
  arrays.ownUpdate[row] = ownUpdate(issue) ?? issue.updated;
  arrays.resolved[row] = issue.resolved ?? Number.NaN;
  const accessClass = classes.codeOf(issue);
  joinClass(parts, row, accessClass);
  const storeId = arrays.storeId[row];
  fields.write({ row, issue });
  noteMentions(parts, { accessClass, storeId, issue });
  histories.write(row, content);
  const fits = findPlace(parts, row, { visits: statuses.length, spans: assignees.length });
  const isStored = fits && writeVisits(parts, row, statuses);
  if (fits) {
    writeSpans(parts, row, assignees);
    writeStretches(parts, row);
  }
  const isOdd = !isStored || !showsItself(issue);
  const isInChain = (field: string, visits: readonly HistoryVisit[]) =>
    isChain(changesOf(issue, field), visits);
  const contradicts = !(isInChain('status', statuses) && isInChain('assignee', assignees));
  arrays.flags[row] =
    (issue.history.complete ? 0 : rowFlag.cut) |
    (isOdd ? rowFlag.odd : 0) |
    (contradicts ? rowFlag.contradicts : 0);
}

/** Notes for the class of an issue what it mentions, as far as that is not noted yet. */
function noteMentions(
  { classes, fields }: ColumnParts,
  {
    accessClass,
    storeId,
    issue,
  }: { readonly accessClass: number; readonly storeId: number; readonly issue: Issue },
): void {
  const seen = classes.seen(accessClass, (field) => fields.isBegun(field));
  const news = newsOf(issue, seen);
  classes.note(accessClass, storeId, { project: issue.project, ...news });
  fields.noteChanges(news.changes, { accessClass, storeId });
}

/** The issue of a row is gone, and so is the row. */
export function retireRow(parts: ColumnParts, row: number): void {
  const { arrays, used, fields, histories, index } = parts;
  used.garbage += arrays.statusCount[row] + arrays.assigneeCount[row];
  arrays.statusCount[row] = 0;
  arrays.assigneeCount[row] = 0;
  arrays.flags[row] = rowFlag.dead;
  fields.forget(row);
  histories.forget(row);
  leaveClass(parts, row);
  index.forget(row);
  used.alive -= 1;
}

function joinClass(parts: ColumnParts, row: number, accessClass: number): void {
  const { arrays, classes } = parts;
  const isNew = arrays.flags[row] === NEW_ROW;
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
  const accessClass = arrays.accessClass[row];
  const hasOthers = classes.leave(accessClass);
  if (!hasOthers) fields.forgetFormer(accessClass, () => true);
}

/** Doubts what is known of a class by the issue of a row. */
function doubtMentions({ arrays, classes, fields }: ColumnParts, row: number): void {
  const accessClass = arrays.accessClass[row];
  const id = arrays.storeId[row];
  classes.doubt(accessClass, id);
  for (const some of fields.formerOf(accessClass)) if (some.doubt(id)) classes.forgetSeen(accessClass);
}

/** Sees to it that a row's visits and spans have a place, the one before where it is large enough; false of too many. */
function findPlace(
  { arrays, used }: ColumnParts,
  row: number,
  { visits, spans }: { readonly visits: number; readonly spans: number },
): boolean {
  const fits = visits <= MAX_COUNTED && spans <= MAX_COUNTED;
  const [visitCount, spanCount] = fits ? [visits, spans] : [0, 0];
  const [visitsBefore, spansBefore] = [arrays.statusCount[row], arrays.assigneeCount[row]];
  used.garbage += visitsBefore + spansBefore;
  // They move together, so that there is one place for what is about both.
  if (visitCount > visitsBefore || spanCount > spansBefore) {
    arrays.statusAt[row] = used.visits;
    arrays.assigneeAt[row] = used.spans;
    used.visits += visitCount;
    used.spans += spanCount;
    for (const name of historyColumns) {
      const needed = lengthUsed(name, used);
      if (needed > arrays[name].length) resize(arrays, name, roomFor(needed));
    }
  } else used.garbage -= visitCount + spanCount;
  arrays.statusCount[row] = visitCount;
  arrays.assigneeCount[row] = spanCount;
  return fits;
}

const historyColumns = columnNames.filter((name) => !columnUnits(name).includes('rows'));

/** False where a code is too large. */
function writeVisits({ arrays, fields }: ColumnParts, row: number, visits: readonly HistoryVisit[]): boolean {
  const { statusAt, visitStart, visitStatus } = arrays;
  const at = statusAt[row];
  const values = fields.valuesOf('status');
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

function writeSpans({ arrays, fields }: ColumnParts, row: number, spans: readonly HistoryVisit[]): void {
  const { assigneeAt, spanStart, spanAssignee } = arrays;
  const at = assigneeAt[row];
  const values = fields.valuesOf('assignee');
  for (const [i, { value, known, start }] of spans.entries()) {
    spanStart[at + i] = start;
    spanAssignee[at + i] = known ? values.codeOf(value) : ABSENT;
  }
}

/** Writes the stretches into which the visits and spans of a row, written before, divide its time. */
function writeStretches({ arrays }: ColumnParts, row: number): void {
  const { stretches, visitStart, visitStatus, spanStart, spanAssignee } = arrays;
  let [visit, span] = [arrays.statusAt[row], arrays.assigneeAt[row]];
  const at = visit + span;
  const visitEnd = visit + arrays.statusCount[row];
  const spanEnd = span + arrays.assigneeCount[row];
  if (visit === visitEnd || span === spanEnd) return;
  stretches[at] = 0;
  if (visitStart[visit] !== spanStart[span]) return;
  if (!isRising(visitStart, visit, visitEnd) || !isRising(spanStart, span, spanEnd)) return;
  const met = new Set<number>();
  for (let i = at; visit < visitEnd && span < spanEnd; i += 1) {
    const pair = spanAssignee[span] * (STATUS_CODE + 1) + (visitStatus[visit] & STATUS_CODE);
    const nextVisit = visit + 1 < visitEnd ? visitStart[visit + 1] : Number.POSITIVE_INFINITY;
    const nextSpan = span + 1 < spanEnd ? spanStart[span + 1] : Number.POSITIVE_INFINITY;
    const next = Math.min(nextVisit, nextSpan);
    const isFirst = !met.has(pair);
    met.add(pair);
    if (next === nextVisit) visit += 1;
    if (next === nextSpan) span += 1;
    stretches[i] =
      (isFirst ? stretchFlag.first : 0) |
      (next === nextVisit && visit < visitEnd ? stretchFlag.visit : 0) |
      (next === nextSpan && span < spanEnd ? stretchFlag.span : 0);
  }
}

function isRising(starts: Float64Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i += 1) if (!(starts[i] > starts[i - 1])) return false;
  return true;
}

/** Returns true where the fields an issue shows are those it is known by. A project is always the one that it is known by. */
function showsItself(issue: Issue): boolean {
  return (
    isSame(contentOf(issue, 'status'), issue.status) && isSame(contentOf(issue, 'assignee'), issue.assignee)
  );
}

function isSame(content: FieldContent | undefined, value: FieldValue | null): boolean {
  if (value === null) return content === null;
  const own = valueIn(content);
  return own?.id === value.id && own.name === value.name;
}

/**
 * The things that only issues that have left their access class are known to mention, and the search for them in the
 * issues that stay.
 */
export class DoubtedMentions {
  readonly #parts: ColumnParts;
  readonly #onChange: () => void;
  /** Codes of classes of which something is looked for. */
  readonly #sought = new Set<number>();
  /** The number of issues that had left each class when the search began. */
  readonly #leftBefore = new Map<number, number>();

  /** `onChange` is called after columns have changed. */
  constructor(parts: ColumnParts, onChange: () => void) {
    this.#parts = parts;
    this.#onChange = onChange;
  }

  /** True where issues have left a class, of which more may be known by now than the others mention. */
  get isAny(): boolean {
    return this.#parts.classes.all.some(({ left }) => left > 0);
  }

  /** Begins a search in the classes that issues have left, and returns their codes; `confirm` removes those that are done. */
  seek(): ReadonlySet<number> {
    this.#sought.clear();
    this.#leftBefore.clear();
    for (const [accessClass, { left }] of this.#parts.classes.all.entries()) {
      if (left === 0) continue;
      this.#leftBefore.set(accessClass, left);
      const mentions = this.#mentionsOf(accessClass);
      for (const some of mentions) some.seek();
      if (isSought(mentions)) this.#sought.add(accessClass);
    }
    return this.#sought;
  }

  /** Notes that the issues of some rows do mention what they mention. */
  confirm(rows: ArrayLike<number>, issues: readonly (Issue | null)[]): void {
    const { arrays, classes } = this.#parts;
    const { accessClass: classOf, flags, storeId: idOf } = arrays;
    for (const [i, issue] of issues.entries()) {
      const row = rows[i] ?? 0;
      const [accessClass = 0, storeId = 0, flag = 0] = [classOf[row], idOf[row], flags[row]];
      // One that has changed since it was put will be put again.
      if (issue === null || (flag & rowFlag.dead) !== 0 || !classes.isOf(accessClass, issue)) continue;
      noteMentions(this.#parts, { accessClass, storeId, issue });
    }
    for (const one of this.#sought) if (!isSought(this.#mentionsOf(one))) this.#sought.delete(one);
  }

  /** Forgets what was not found, after the issues of all rows of these classes were confirmed. */
  forget(): void {
    const { classes, fields } = this.#parts;
    let isOther = false;
    for (const [accessClass, left] of this.#leftBefore) {
      for (const some of this.#mentionsOf(accessClass)) isOther = some.forgetSought() || isOther;
      // Former values are kept only for fields that some issue of the class was changed in.
      const one = classes.all[accessClass];
      fields.forgetFormer(accessClass, (field) => one?.changed.has(field) !== true);
      if (one?.left === left) one.left = 0;
    }
    this.#sought.clear();
    this.#leftBefore.clear();
    if (isOther) this.#onChange();
  }

  #mentionsOf(accessClass: number): readonly SomeMentions[] {
    const { classes, fields } = this.#parts;
    return [...classes.mentionsOf(accessClass), ...fields.formerOf(accessClass)];
  }
}

function isSought(mentions: readonly SomeMentions[]): boolean {
  return mentions.some(({ sought }) => sought > 0);
}
