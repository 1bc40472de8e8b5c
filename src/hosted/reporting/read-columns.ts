import type { ReportType } from '../../engine/report-type.ts';
import { withDistinctTitles } from '../../engine/select-columns.ts';
import type { Column, ColumnKind } from '../../model/table.ts';
import { statusVisitColumns, visitColumns } from '../../reports/visit-lines.ts';
import { askedFormats } from './asked-wording.ts';
import type { ReportAnswer } from './report-answer.ts';

type TitledAnswer = ReportAnswer['table']['header']['fieldColumns'][number];
type ValueColumnAnswer = ReportAnswer['table']['header']['valueColumns'][number];

const kinds: Readonly<Record<string, ColumnKind>> = {
  created: 'instant',
  updated: 'instant',
  resolutiondate: 'instant',
  duedate: 'day',
  'calc:leadTime': 'duration',
  'calc:age': 'duration',
  'calc:currentStatusAge': 'duration',
  'calc:transitions': 'count',
};

const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** The columns of an answer, by what its header tells, what is known of fields, and what the cells are written like. */
export function readColumns(answer: ReportAnswer, report: ReportType): Column[] {
  const { header } = answer.table;
  const texts = textsOf(answer);
  const fieldColumn = (part: 'field' | 'group') => (told: TitledAnswer) => ({
    id: told.id,
    title: told.value,
    kind: kinds[told.id] ?? kindWritten(texts(part, told.id), answer),
    part,
  });
  return withDistinctTitles([
    ...header.headerColumns.map(({ id, value }) => ({ id, title: value, ...headerText })),
    ...header.groupByColumns.map(fieldColumn('group')),
    ...header.fieldColumns.map(fieldColumn('field')),
    ...valueColumnsOf(header.valueColumns, report),
  ]);
}

const headerText = { kind: 'text', part: 'header' } as const;

function valueColumnsOf(told: readonly ValueColumnAnswer[], report: ReportType): Column[] {
  if (report.shape === 'issue') return told.map((one) => valueColumn(one, report));
  const columns = report.levels.includes('status') ? statusVisitColumns : visitColumns;
  return columns.map(({ id, title, kind, part }) => ({ id, title, kind, part }));
}

function valueColumn(told: ValueColumnAnswer, { kind, composite }: ReportType): Column {
  const { id, value: title, isConsolidated, standIn } = told;
  const levels = composite ? levelsOf(told) : null;
  return {
    id,
    title,
    kind,
    part: 'value',
    ...(isConsolidated ? { consolidated: true } : {}),
    ...(levels ?? {}),
    ...(standIn
      ? {
          standIn: {
            owner: { id: standIn.owner.id, title: standIn.owner.value },
            delegate: { id: standIn.delegate.id, title: standIn.delegate.value },
            category: { id: standIn.category.id, name: standIn.category.value },
          },
        }
      : {}),
  };
}

/** What a service does not tell apart is told apart by the mark between the two ids and their titles, if there is one. */
function levelsOf({ id, value, parentId, parentValue, childId, childValue }: ValueColumnAnswer) {
  if (parentId && childId) {
    return { parent: { id: parentId, title: parentValue }, child: { id: childId, title: childValue } };
  }
  const [upper = '', lower = '', ...moreIds] = id.split('|');
  const [upperTitle = '', lowerTitle = '', ...moreTitles] = value.split(': ');
  const isTold = [upper, lower, upperTitle, lowerTitle].every((part) => part !== '');
  if (!isTold || moreIds.length + moreTitles.length > 0) return null;
  return { parent: { id: upper, title: upperTitle }, child: { id: lower, title: lowerTitle } };
}

/** Only the patterns that were asked for are like nothing else; whatever was never filled in is text. */
function kindWritten(texts: readonly string[], { dateFormat, dateTimeFormat }: ReportAnswer): ColumnKind {
  const isLike = (pattern: RegExp) => texts.length > 0 && texts.every((text) => pattern.test(text));
  if (dateTimeFormat === askedFormats.dateTimeFormat && isLike(instant)) return 'instant';
  return dateFormat === askedFormats.dateFormat && isLike(day) ? 'day' : 'text';
}

function textsOf({ table }: ReportAnswer) {
  return (part: 'field' | 'group', id: string) =>
    table.body.rows.flatMap(({ fieldColumns, groupByColumns }) => {
      const cell = (part === 'field' ? fieldColumns : groupByColumns).find((one) => one.id === id);
      return cell === undefined || cell.value === '-' ? [] : [cell.value];
    });
}
