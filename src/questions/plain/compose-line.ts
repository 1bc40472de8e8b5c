import type { Composed, Said } from './compose.ts';
import { compareLine, lacksSide, periodOf, periodsLine, sidesOf } from './compose-compare.ts';
import { agingLine, stateOf } from './compose-open.ts';
import { changeLine, isBetween, isWholeWay, reopenedLine, reportLine } from './compose-report.ts';
import {
  isOfTime,
  isSprintReport,
  issueLine,
  isWeekly,
  mineLine,
  savedLine,
  sprintLine,
  weeklyLine,
  withSelf,
} from './compose-summaries.ts';

/** The question that what was said makes. */
export async function composeLine(said: Said): Promise<Composed> {
  const { of, intents } = said;
  if (of('key').length > 0) return issueLine(said);
  if (of('saved').length > 0) return savedLine(said);
  const statuses = await said.context.statuses();
  const state = stateOf(said, statuses);
  if (intents.has('mine')) return isOfTime(said) ? reportLine(await withSelf(said), false) : mineLine(said);
  const sides = sidesOf(said);
  if (sides !== null) return compareLine(said, sides);
  const period = periodOf(said);
  if (period !== null) return periodsLine(said, period);
  if (lacksSide(said)) return { ...periodsLine(said, 'month'), unused: said.all };
  if (isSprintReport(said)) return sprintLine(said);
  if (intents.has('reopened')) return reopenedLine(said, statuses);
  if (of('change').length > 0 && !isBetween(said)) return changeLine(said);
  if (state !== null) return agingLine(said, state);
  if (isWeekly(said)) return weeklyLine(said);
  return reportLine(said, isWholeWay(said, statuses));
}
