import type { CaseIssue } from './case-world.ts';
import { dateTimeText, readQuestion, type StandInParameters } from './stand-in-timepiece-asked.ts';
import { listBody } from './stand-in-timepiece-list.ts';
import { nameOf } from './stand-in-timepiece-measures.ts';
import { visitsIn, workingMs } from './stand-in-timepiece-visits.ts';

/** The stays of an issue. `dates` says of which end of a stay the one date of a row is. */
export function expandedBody(asked: StandInParameters, issue: CaseIssue, dates: 'start' | 'end') {
  const question = readQuestion({ ...asked, columnsby: 'statusDuration' });
  const visits = visitsIn(issue, 'status', question.window).map((visit) => ({
    ...visit,
    statusId: Number(visit.value),
    ms: workingMs(visit.start, visit.end, question.calendar),
  }));
  const ids = [...new Set(visits.map(({ statusId }) => statusId))];
  const each = (figure: (all: readonly number[]) => number) =>
    ids.map((statusId) => ({
      statusId,
      value: figure(visits.filter((visit) => visit.statusId === statusId).map(({ ms }) => ms)),
    }));
  const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
  const body = listBody({ ...asked, columnsby: 'statusDuration', fields: undefined }, [issue]);
  const [row] = body.table.body.rows;
  return {
    ...body,
    columnsBy: 'statusDurationExpanded',
    table: {
      header: body.table.header,
      body: {
        rows: [
          {
            ...row,
            expanded: {
              stats: {
                visitCounts: each((all) => all.length),
                totalValues: each(total),
                averageValues: each((all) => Math.round(total(all) / all.length)),
                minValues: each((all) => Math.min(...all)),
                maxValues: each((all) => Math.max(...all)),
              },
              rows: visits.map(({ start, end, statusId, ms, by }, i) => {
                const who = dates === 'start' ? by : (visits[i + 1]?.by ?? null);
                return {
                  uniqueDate: dateTimeText(dates === 'start' ? start : end),
                  statusId,
                  value: ms,
                  ...(who === null ? {} : { transitionedBy: nameOf('assignee', who) }),
                };
              }),
            },
          },
        ],
      },
    },
  };
}
