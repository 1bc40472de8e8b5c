import { millisecondsInDay } from 'date-fns/constants';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { type AskedReport, reportParameters } from '../../parameters/report.ts';
import { readWindow } from '../../parameters/window.ts';
import type { QuestionKind } from '../../questions/kind.ts';
import type { HttpParts } from '../route.ts';
import type { WeeklyFrame } from '../wire/weekly-json.ts';

const { calendar, asOf, viewFormat, dayLength } = reportParameters;

/** How figures that are no table are measured and shown. */
export const figureParameters = { calendar, asOf, viewFormat, dayLength };

type AskedFigures = Pick<AskedReport, keyof typeof figureParameters> & {
  /** The principal's own where none is asked for. */
  readonly timeZone?: string | undefined;
};

/** Answers a question whose figures are no table, and says how they are shown. */
export async function answerFigures<
  Asked extends MeasuredQuestion,
  Value extends { readonly provenance: Provenance },
>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  asked: AskedFigures,
  principal: Principal,
  { answers, reporting, settings, now, version }: HttpParts,
): Promise<{ readonly value: Value; readonly frame: WeeklyFrame }> {
  const unchecked = await checkDayLength(asked, principal, settings);
  const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(principal));
  const answer = await answers.ask(
    kind,
    principal,
    questionOf({ calendar: asked.calendar, timeZone }),
    readWindow({ asOf: asked.asOf }, { now: now(), timeZone }).asOf,
  );
  const value = kind.withProvenance(answer.value, (provenance) => withNotes(provenance, unchecked));
  const { dailyMs } = value.provenance.calendar;
  const dayMs = asked.dayLength === 'businessDays' ? dailyMs : millisecondsInDay;
  return { value, frame: { viewFormat: asked.viewFormat, dayMs, version } };
}
