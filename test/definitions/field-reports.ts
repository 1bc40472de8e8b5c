import type { FieldValue, Issue } from '../../src/model/issue.ts';
import type { Cell, Cells } from '../../src/model/table.ts';
import { beginOf, type HistoryVisit, lastOpen } from './history.ts';
import { addedUp, type Entry } from './ledger.ts';
import {
  columnAbout,
  currentIn,
  type Define,
  type DefinedIssue,
  type DefinedQuestion,
  factsOf,
  nameIn,
  visitsIn,
  workIn,
} from './question.ts';

/** Working time with each value of some fields, and without any; columns of several fields name theirs. */
export const anyFieldDuration: Define = (issue, question) => {
  const { historyFields } = question.request;
  const fields = historyFields.map((field) => ({ field, visits: visitsIn(issue, field, question) }));
  const columnOf = (field: string, value: FieldValue | null) => {
    const id = value === null ? ':empty' : value.id;
    const title = value === null ? 'Empty' : nameIn(issue, field, value, question);
    const fieldTitle = question.fieldTitles.get(field) ?? field;
    const level =
      historyFields.length === 1 ? { id, title } : { id: `${field}:${id}`, title: `${fieldTitle}: ${title}` };
    return columnAbout(level, 'duration');
  };
  const entries = fields.flatMap(({ field, visits }) =>
    visits
      .filter(({ isKnown }) => isKnown)
      .map(
        (visit): Entry => ({
          column: columnOf(field, visit.value),
          amount: workIn(visit, question),
          of: visit,
        }),
      ),
  );
  const { columns, cells } = addedUp(entries);
  return {
    ...factsOf(issue, historyFields, question),
    ...{ columns, lines: [cells] },
    current: fields.flatMap(({ field, visits }) => {
      const open = lastOpen(visits);
      return open === null ? [] : [currentIn(columnOf(field, open.value), beginOf(open))];
    }),
  };
};

/** One line per known visit to a status. */
export const statusDurationExpanded: Define = (issue, question) => visitLines(issue, ['status'], question);

/** One line per known visit to a value of some fields, field after field. */
export const anyFieldDurationExpanded: Define = (issue, question) =>
  visitLines(issue, question.request.historyFields, question);

const visitColumns = [
  ...(['field', 'value', 'valueId'] as const).map((id) => ({ id, kind: 'text' as const })),
  ...(['start', 'end'] as const).map((id) => ({ id, kind: 'instant' as const })),
  { id: 'duration', kind: 'duration' as const },
  { id: 'transitionedBy', kind: 'text' as const },
];
const titles = ['Field', 'Value', 'Value ID', 'Start', 'End', 'Duration', 'Transitioned By'];

function visitLines(issue: Issue, fields: readonly string[], question: DefinedQuestion): DefinedIssue {
  const all = fields.map((field) => ({ field, visits: visitsIn(issue, field, question) }));
  const textCell = (id: string, cell: Cell | null) => (cell === null ? {} : { [id]: cell });
  const lineOf = (field: string, visit: HistoryVisit): Cells => {
    const { value, opened, isOpen, start, end } = visit;
    const by = opened?.by ?? null;
    return {
      field: { value: field },
      ...textCell('value', value && { value: nameIn(issue, field, value, question), id: value.id }),
      ...textCell('valueId', value && { value: value.id }),
      start: { value: start },
      ...(isOpen ? {} : { end: { value: end } }),
      duration: { value: workIn(visit, question) },
      ...textCell('transitionedBy', by === null ? null : { value: question.userNames.get(by) ?? by, id: by }),
    };
  };
  const isStatus = question.request.reportType === 'statusDurationExpanded';
  const columns = visitColumns.map(({ id, kind }, i) => {
    const title = titles[i] ?? id;
    return columnAbout({ id, title: isStatus ? title.replace('Value', 'Status') : title }, kind);
  });
  const [lead] = all;
  const open = lead === undefined ? null : lastOpen(lead.visits);
  const now = open?.value ?? null;
  return {
    ...factsOf(issue, fields, question),
    columns: isStatus ? columns.slice(1) : columns,
    lines: all.flatMap(({ field, visits }) =>
      visits.filter(({ isKnown }) => isKnown).map((visit) => lineOf(field, visit)),
    ),
    // Of several fields that of the first.
    current:
      lead === undefined || open === null || now === null
        ? []
        : [{ columnId: now.id, title: nameIn(issue, lead.field, now, question), since: beginOf(open) }],
  };
}
