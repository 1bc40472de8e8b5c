import type { CaseIssue } from './case-world.ts';
import { readFields, readQuestion, type StandInParameters } from './stand-in-timepiece-asked.ts';
import { cell, columnsOf, fieldCells, outer, titles } from './stand-in-timepiece-frame.ts';
import { measuresOf } from './stand-in-timepiece-measures.ts';

/** A report over issues as JSON, with exactly the members seen of the live service. */
export function listBody(asked: StandInParameters, issues: readonly CaseIssue[]) {
  const question = readQuestion(asked);
  const fields = readFields(asked.fields);
  const groupBy = readFields(asked.groupbyfields);
  const measured = issues.map((issue) => ({ issue, figures: measuresOf(issue, question) }));
  const columns = columnsOf(
    measured.map(({ figures }) => figures),
    question,
  );
  const rows = measured.map(({ issue, figures }) => ({
    headerColumns: [
      { id: 'issuekey', value: issue.key },
      { id: 'summary', value: `Summary of ${issue.key}` },
    ],
    groupByColumns: fieldCells(issue, groupBy),
    fieldColumns: fieldCells(issue, fields),
    valueColumns: columns.map(({ id }) =>
      cell(
        id,
        figures.find((one) => one.id === id),
        question,
        asked,
      ),
    ),
    currentState: figures
      .filter(({ id, current }) => current && columns.some((column) => column.id === id))
      .map((figure) => {
        const { count: _, ...told } = cell(figure.id, figure, question, asked);
        return told;
      }),
  }));
  const all = measured.flatMap(({ figures }) => figures.flatMap(({ statuses }) => statuses));
  return {
    ...outer(asked, question, all),
    table: {
      header: {
        headerColumns: [
          { id: 'issuekey', value: 'Key' },
          { id: 'summary', value: 'Summary' },
        ],
        ...titles(groupBy, fields, columns),
      },
      body: { rows },
    },
  };
}
