import { inputOf } from '../../api/answers/document.ts';
import type { QuestionKind } from '../../api/answers/question-kind.ts';
import { readWindow } from '../../api/parameters/dates.ts';
import { type ReportInput, reportParameters } from '../../api/parameters/report.ts';
import type { Part } from '../../model/answer.ts';
import type { MeasuredQuestion, Question } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import type { HttpParts } from '../route.ts';
import { outerMembers } from './table.ts';

const { calendar, asOf } = reportParameters;

/** Parameters by which the figures of a question are measured. */
export const answerParameters = { calendar, asOf };

type MeasureParameters = Pick<ReportInput, keyof typeof answerParameters> & {
  /** The zone of the principal if it is left out. */
  readonly timeZone?: string | undefined;
};

/** Members of every answer over REST beside the answer itself. */
export const frameMembers = {
  ignoredParameters: outerMembers.ignoredParameters,
  version: outerMembers.version,
};

/** Answers a question of a kind; `body` is what the schema of its answer takes. */
export async function askKind<Asked extends Question, Value>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  parameters: MeasureParameters,
  principal: Principal,
  { answers, reporting, now, version }: HttpParts,
  part?: Part,
) {
  const timeZone = parameters.timeZone ?? (await reporting.timeZoneOf(principal));
  const { value } = await answers.ask(
    kind,
    principal,
    questionOf({ calendar: parameters.calendar, timeZone }),
    readWindow({ asOf: parameters.asOf }, { now: now(), timeZone }).asOf,
    part,
  );
  return { value, body: { ...inputOf(kind, value), version } };
}
