import { millisecondsInMinute } from 'date-fns/constants';
import { AppError, about, badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { durationBetweenStatuses } from '../../../reports/duration-between-statuses.ts';
import type { TisClient, TisPlace } from './create-tis-client.ts';
import type { Learnt } from './learnt.ts';
import { withMetricColumns } from './metric-columns.ts';
import { isOwnDialect, type ReportAnswer, reportAnswer } from './report-answer.ts';
import {
  type MetricSpelling,
  reportParameters,
  type TisParameters,
  wholeMinute,
} from './report-parameters.ts';

/** More often nobody's clocks are changed while they are asked. */
const MOST_TRIES = 4;

/** An answer, and the request it is an answer to: with whole minutes, and stopped where the service knows only now. */
export interface Asked {
  readonly answer: ReportAnswer;
  readonly request: ReportRequest;
  /** The window that the principal wished for. */
  readonly trim: ReportRequest['trim'];
  /** The instant at which the history was trimmed in place of `asOf`; null where it was not. */
  readonly stoppedAt: Instant | null;
}

/** Where a report is asked for, and what that place takes beside the report's own parameters. */
export interface Asking {
  readonly place: TisPlace;
  readonly beside: (request: ReportRequest, timeZone: string) => TisParameters;
  readonly signal?: AbortSignal | undefined;
}

/** Asks for one report. */
type AskReport = (request: ReportRequest, asking: Asking) => Promise<Asked>;

/**
 * Reports in the words of the service. Dates are told on its clocks, and told anew when the answer shows that these are
 * others. Only a service of our own can speak of another instant than now: every other one is asked with the history
 * trimmed at that minute, and so is one of which nobody knows yet; where it turns out to be ours it is asked anew.
 */
export function createAskReport(client: TisClient, learnt: Learnt): AskReport {
  return async (given, { place, beside, signal }) => {
    const whole = inMinutes(given);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const isOwn = learnt.dialect() === 'own';
      const stoppedAt = whole.asOf === null || isOwn ? null : stopOf(whole.asOf);
      const request = stoppedAt === null ? whole : stopped(whole, stoppedAt);
      const timeZone = learnt.timeZone();
      const alone = place === 'aggregation' && learnt.dialect() !== 'own';
      const answer = await inEitherSpelling(request, async (metricSpelling) => {
        const wording = { timeZone, metricSpelling, statuses: learnt.met(), isOwn };
        const parameters = { ...reportParameters(request, wording), ...beside(request, timeZone) };
        return client.ask({ place, parameters, signal, alone }, reportAnswer);
      });
      learnt.note(answer);
      if (isOwnDialect(answer) !== isOwn) continue;
      if (!isOwnDialect(answer)) refuseUnknown(request, answer);
      if (answer.timeZone !== timeZone && hasDates(request)) continue;
      return { answer, request, trim: whole.trim, stoppedAt };
    }
    throw client.failure('tells another time zone with every answer.');
  };

  /** Metrics that are refused in one spelling are asked for in the other, unless one is known to be understood. */
  async function inEitherSpelling(
    { reportType, metrics }: ReportRequest,
    asked: (spelling: MetricSpelling) => Promise<ReportAnswer>,
  ): Promise<ReportAnswer> {
    if (reportType !== durationBetweenStatuses.id) return asked('ids');
    const known = learnt.metricSpelling();
    const told = async (spelling: MetricSpelling) => {
      const answer = withMetricColumns(await asked(spelling), metrics);
      learnt.keepMetricSpelling(spelling);
      return answer;
    };
    if (known !== null) return told(known);
    return told('ids').catch(async (failure: unknown) => {
      if (!(failure instanceof AppError) || failure.code !== 'bad-request') throw failure;
      return told('value').catch((other: unknown) => {
        throw other instanceof AppError && other.code === 'bad-request' ? failure : other;
      });
    });
  }

  /** Null: so lately that now is as good. */
  function stopOf(asOf: Instant): Instant | null {
    return client.now() - asOf > millisecondsInMinute ? wholeMinute(asOf) : null;
  }
}

/** As if everything had ended then. Issues that came later are left out where nothing else is asked of their dates. */
function stopped(request: ReportRequest, at: Instant): ReportRequest {
  const { trim, dateRange } = request;
  return {
    ...request,
    asOf: null,
    trim: { from: trim.from, to: trim.to === null ? at : Math.min(trim.to, at) },
    dateRange: dateRange ?? { field: 'created', from: null, to: at },
  };
}

function inMinutes(request: ReportRequest): ReportRequest {
  const minute = (at: Instant | null) => (at === null ? null : wholeMinute(at));
  const { trim, dateRange } = request;
  return {
    ...request,
    trim: { from: minute(trim.from), to: minute(trim.to) },
    dateRange:
      dateRange === null ? null : { ...dateRange, from: minute(dateRange.from), to: minute(dateRange.to) },
  };
}

function hasDates({ trim, dateRange }: ReportRequest): boolean {
  return trim.from !== null || trim.to !== null || dateRange !== null;
}

/** The product passes over parameters it does not know: its answer would be one to another question. */
function refuseUnknown({ creditDelegates, consolidated }: ReportRequest, answer: ReportAnswer): void {
  const sentences = [
    ...(creditDelegates === null
      ? []
      : [
          about(
            'creditDelegates',
            'is not known to the time-in-status service; allowed there: no creditDelegates.',
          ),
        ]),
    ...(consolidated.length === 0 || answer.table.header.valueColumns.some((one) => one.isConsolidated)
      ? []
      : [about('consolidatedStatuses', 'are not known to the time-in-status service; allowed there: none.')]),
  ];
  if (sentences.length > 0 && answer.table.body.rows.length > 0) throw badRequest(...sentences);
}
