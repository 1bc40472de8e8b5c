import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { surveyList } from '../../engine/build-table.ts';
import { type AppError, badRequest } from '../../model/error.ts';
import type { ReportRequest, Statistic } from '../../model/request.ts';
import type { IssueLines } from '../../model/table.ts';
import type { ReportSources } from '../reporting/prepare-report.ts';
import { prepareReport } from '../reporting/prepare-report.ts';
import type { Scene } from '../reporting/scene.ts';
import { inTurns } from '../reporting/yielding-loops.ts';
import type { Reading, ReportReader } from '../reporting.ts';
import { limitCells, tooManyGroups } from './run-report.ts';

/** Lines are handed over in parts of so many cells, or issues: few enough to be nothing, enough to be no effort each. */
const PART_CELLS = 20_000;
const PART_ISSUES = 200;

/** More would be gigabytes that nothing opens. */
const MOST_CELLS_OF_A_FILE = 50_000_000;

/**
 * A list to be read from front to back: every issue is measured once to learn the columns and the statistics, and once
 * more when its lines are read, so that no table of all of them ever exists.
 */
export async function openReport(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
  { statistics, onProgress, signal }: Reading & { readonly statistics: readonly Statistic[] },
): Promise<ReportReader> {
  const pace = createYieldIfDue();
  const { report, issues, context, layout, page, provenance } = await prepareReport(
    request,
    scene,
    sources,
    pace,
  );
  const hasFigures = report.kind !== 'instant' && report.shape === 'issue';
  const survey = surveyList(report, context, layout, hasFigures ? statistics : []);
  const refuseTooWide = limitCells(survey, (...made) => tooManyGroups(request, ...made));
  let steps = 0;
  // Each issue is taken up twice, and half done after the first time.
  const step = async () => {
    signal?.throwIfAborted();
    steps += 1;
    const rest = pace();
    if (rest === null) return;
    onProgress?.(Math.floor(steps / 2), issues.length);
    await rest;
  };
  for (const issue of issues) {
    await step();
    survey.add(issue);
    refuseTooWide();
  }
  const { head, hasUnknown, statistics: figures, linesOf } = await survey.done(inTurns(pace));
  const width = head.columns.length;
  if (width * issues.length > MOST_CELLS_OF_A_FILE) throw tooWide(width, issues.length);
  const part = Math.max(1, Math.min(PART_ISSUES, Math.floor(PART_CELLS / width)));
  return {
    list: { ...head, hasUnknown, page, provenance },
    statistics: figures.map((built) => ({ ...built, page, provenance })),
    async *lines() {
      for (let start = 0; start < issues.length; start += part) {
        const lines: IssueLines[] = [];
        for (const issue of issues.slice(start, start + part)) {
          await step();
          lines.push(linesOf(issue));
        }
        yield lines;
      }
      onProgress?.(issues.length, issues.length);
    },
  };
}

function tooWide(columns: number, issues: number): AppError {
  return badRequest(
    `The report has ${columns} columns for ${issues} issues; allowed: ${MOST_CELLS_OF_A_FILE} cells in all, by fewer issues or statuses, a longer timePeriod or a trimmed history.`,
  );
}
