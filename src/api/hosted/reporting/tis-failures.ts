import { z } from 'zod';
import { mediaTypeOf, quote, readJson } from '../../../http-client/read-answer.ts';
import type { HttpAnswer } from '../../../http-client/send-once.ts';
import type { Detail } from '../../../model/error.ts';
import { AppError, badRequest } from '../../../model/error.ts';
import { type HostedService, redirected, serviceUnavailable, statusWords } from '../hosted-service.ts';

/** The service, or a gateway before it, gave a question up after its time: a smaller one may be answered. */
export class TookTooLong extends AppError {
  constructor({ message, cause }: { readonly message: string; readonly cause?: unknown }) {
    super('service-unavailable', message, [], { cause });
    this.name = 'TookTooLong';
  }
}

/** No path is known there under which this could be asked. */
export class UnknownPlace extends AppError {
  constructor({ message }: { readonly message: string }) {
    super('service-unavailable', message);
    this.name = 'UnknownPlace';
  }
}

/** Whether what failed may not be there at all: an unknown path, or a 404 that leaves open what was not found. */
export function isNotThere(failure: unknown): boolean {
  return failure instanceof UnknownPlace || (failure instanceof AppError && failure.code === 'not-found');
}

/** What an answer that is no success means. `maybeDone`: the request may have changed something all the same. */
export function tisFailure(answer: HttpAnswer, service: HostedService, maybeDone: boolean): AppError {
  const { status } = answer;
  if (status >= 300 && status < 400) return redirected(answer, service);
  const refusal = readTisRefusal(answer);
  const message = refusal === null ? null : quote(refusal.message, service);
  const sentences = (refusal?.messages ?? []).map((text) => quote(text, service));
  if (status === 401) {
    const reasons = sentences.length > 0 ? sentences.join(' ') : (message ?? 'it is not told why');
    return serviceUnavailable(`refuses ${service.settings}: ${reasons.replace(/\.$/, '')}.`, service);
  }
  if (message !== null) {
    if (status === 400) {
      const details = sentences.length > 0 ? sentences : [message];
      return badRequest(...details.map(detailOf));
    }
    if (status === 403) {
      const words = [message, ...sentences].map((text) => `${text.replace(/\.$/, '')}.`).join(' ');
      return new AppError(
        'not-allowed',
        `${words} The user of ${service.userSetting} lacks this right in the ${service.name}.`,
      );
    }
    if (status === 404) return new AppError('not-found', message, sentences);
  }
  if (status === 408 || status === 504) {
    return new TookTooLong(serviceUnavailable(`gave up after its time (HTTP ${status}).`, service));
  }
  const words = message === null ? null : [message.replace(/\.$/, ''), ...sentences].join(': ');
  return serviceUnavailable(statusWords(status, words), service, { maybeDone });
}

/** The service's sentences, which are foreign, begin with the parameter that they are about. */
function detailOf(sentence: string): Detail {
  const [field] = parameters.exec(sentence) ?? [];
  return field === undefined ? sentence : { field, problem: sentence.slice(field.length) };
}

const parameters =
  /^(columnsBy|filterType|user|projectKey|jqlFilterID|customjql|sprintID|issueKey|startDate|endDate|dateRangeField|trimHistoryStartDate|trimHistoryEndDate|calendar|statuses|consolidatedStatuses|dbsMetrics|fields|groupByFields|historyFields|timePeriod|aggregationType|percentile|viewFormat|dayLength|outputType|pageSize|nextPageToken)(?=[\s:])/;

/** Data Center calls the status so, and leaves out a list that would be empty. */
const refusalSchema = z
  .object({
    status: z.number().optional(),
    statusCode: z.number().optional(),
    message: z.string().min(1),
    messages: z.array(z.string()).nullish(),
    pluginVersion: z.string().nullish(),
  })
  .refine(({ messages, pluginVersion }) => messages !== undefined || pluginVersion !== undefined);

/** What the service itself says about a failure, in whole sentences; null for a page, and for what is said before it. */
export function readTisRefusal(
  answer: HttpAnswer,
): { readonly message: string; readonly messages: readonly string[] } | null {
  const { status, text } = answer;
  if (mediaTypeOf(answer) === 'text/html') return null;
  const parsed = refusalSchema.safeParse(readJson(text));
  if (!parsed.success) return null;
  const { message, messages, status: said, statusCode } = parsed.data;
  return (said ?? statusCode ?? status) === status ? { message, messages: messages ?? [] } : null;
}
