import type { z } from 'zod';
import { noAnswerWords, redirectWords } from '../../http-client/failure-words.ts';
import {
  createHttpClient,
  fixedCredentials,
  type HttpCredentials,
  type HttpProfile,
  type HttpSurroundings,
  type ServiceRequest,
} from '../../http-client/http-client.ts';
import { readJson, readSchema } from '../../http-client/read-answer.ts';
import { judgeByPolicy, type RetryPolicy } from '../../http-client/retry-policy.ts';
import type { HttpAnswer, NoAnswer } from '../../http-client/send-once.ts';
import type { ErrorReason } from '../../model/error.ts';
import { AppError, withoutPoint } from '../../model/error.ts';

/** A service that somebody else hosts: how it is asked, and how it is described without showing a secret. */
export interface HostedService extends HttpCredentials {
  readonly profile: HttpProfile;
  readonly retry: RetryPolicy;
  /** What it is called in sentences. */
  readonly name: string;
  readonly origin: string;
  /** The settings that hold the credentials. */
  readonly settings: string;
  /** The setting that says whose rights count. */
  readonly userSetting: string;
  /** The setting that holds its address. */
  readonly addressSetting: string;
  /** A whole sentence for a change of which nobody knows whether it was made. */
  readonly unsure: string;
}

/** Retries as every hosted service gets them. */
export const hostedRetry: RetryPolicy = {
  tries: 3,
  statuses: [429],
  safeStatuses: [502, 503, 504],
  whenSlow: true,
  longestWaitMs: 10_000,
};

/** Sends requests to a hosted service. */
interface HostedClient {
  /** What came of the last try. `isSafe`: it changes nothing, and so may be sent again whatever happened. */
  send(
    request: ServiceRequest,
    how: { readonly isSafe: boolean; readonly retry?: RetryPolicy },
  ): Promise<HttpAnswer | NoAnswer>;
  close(): Promise<void>;
}

/** A client of one service, whose credentials never change. */
export function createHostedClient(service: HostedService, surroundings: HttpSurroundings): HostedClient {
  const client = createHttpClient(service.profile, surroundings);
  const credentials = fixedCredentials(service);
  return {
    async send(request, { isSafe, retry = service.retry }) {
      const { outcome } = await client.request(request, {
        credentials,
        judge: (one) => judgeByPolicy(one, retry, { isSafe, now: surroundings.now() }),
      });
      return outcome;
    },
    close: client.close,
  };
}

/** `what` follows the name of the service. `maybeDone`: the request may have changed something all the same. */
export function serviceUnavailable(
  what: string,
  { origin, name, unsure }: HostedService,
  {
    maybeDone = false,
    reason = maybeDone ? 'outcome-unknown' : 'service-unavailable',
    ...cause
  }: { readonly maybeDone?: boolean; readonly reason?: ErrorReason; readonly cause?: unknown } = {},
): AppError {
  return new AppError(reason, `The ${name} at ${origin} ${what}${maybeDone ? ` ${unsure}` : ''}`, [], cause);
}

/** Why there was no answer at all. */
export function noAnswer(outcome: NoAnswer, service: HostedService, maybeDone: boolean): AppError {
  const { timeoutMs, maxMegabytes } = service.profile;
  const what = noAnswerWords(outcome, { asked: null, timeoutMs, maxMegabytes, hide: service.hide });
  const cause = outcome.cause === undefined ? {} : { cause: outcome.cause };
  return serviceUnavailable(what, service, { ...cause, maybeDone: outcome.sent && maybeDone });
}

/** What a redirect in place of an answer means. */
export function redirected(answer: HttpAnswer, service: HostedService): AppError {
  const { origin, addressSetting } = service;
  return serviceUnavailable(
    redirectWords(answer, { asked: null, base: origin, setting: addressSetting }),
    service,
  );
}

/** What a status without further words means; `message` is what the service says to it. */
export function statusWords(status: number, message: string | null): string {
  const words = message === null ? '' : `: ${withoutPoint(message)}`;
  switch (status) {
    case 429:
      return `takes no more requests for now (HTTP 429${words}).`;
    case 503:
      return `is not available (HTTP 503${words}); its REST interface may be switched off.`;
    case 502:
    case 504:
      return `does not answer the proxy before it (HTTP ${status}${words}).`;
    default:
      return `answered with HTTP ${status}${words}.`;
  }
}

/** A successful answer in the schema it should have; else the first difference is `unavailable`. */
export function readHosted<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  { service, maybeDone }: { readonly service: HostedService; readonly maybeDone: boolean },
): z.output<Schema> {
  const json = readJson(text);
  if (json === undefined) {
    const what = `answered with something else than JSON; is ${service.addressSetting} right?`;
    throw serviceUnavailable(what, service, { maybeDone });
  }
  const read = readSchema(json, schema, service.hide);
  if (read.kind === 'read') return read.value;
  throw serviceUnavailable(`answered in an unknown shape: ${read.difference}.`, service, { maybeDone });
}
