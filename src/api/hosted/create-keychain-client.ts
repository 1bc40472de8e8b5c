import { Pool } from 'undici';
import type { z } from 'zod';
import { isSuccess } from '../../http-client/answer-head.ts';
import { type HttpAnswer, type HttpRequest, sendOnce } from '../../http-client/send-once.ts';
import type { Access } from './access.ts';
import { readAnswer } from './read-answer.ts';
import { isOwnRefusal } from './read-refusal.ts';
import { type Pauses, sendAgain } from './send-again.ts';
import { unavailable, whyRefused, whySilent } from './why-refused.ts';

/** The contract's path first; from version 1.5 on the product's pages tell the other as well. */
const bases = ['/rest/delegation/api/1.0', '/rest/delegation/1.0/api'];

const CONNECTIONS = 8;

/** A question to the service; `path` follows on its base path. */
export interface KeychainQuestion {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Becomes JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What to say, after the name of the service, when no path of it is known there. */
  readonly unknownPath: string;
}

/** Speaks the service's REST. */
export interface KeychainClient {
  /** What the service answers, once it has the shape; everything else is told as the failure that it is. */
  ask<Shape extends z.ZodType>(question: KeychainQuestion, shape: Shape): Promise<z.output<Shape>>;
}

/** How long a single try may take, and how it is waited between tries. */
export interface Patience extends Pauses {
  readonly tryMs: number;
  /** Aborts after so many ms. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** A client with connections of its own, which keep no process alive. */
export function createKeychainClient(access: Access, patience: Patience): KeychainClient {
  const { tryMs, now } = patience;
  const mostBytes = access.mostMegabytes * 1_000_000;
  const pool = new Pool(access.origin, {
    connections: CONNECTIONS,
    // Well before the whole try ends: then it is certain that nothing was sent.
    connect: { timeout: tryMs / 2 },
    headersTimeout: tryMs,
    bodyTimeout: tryMs,
    maxResponseSize: mostBytes,
  });
  let [first = '', second = ''] = bases;

  async function send({ method, path, query = {}, body }: KeychainQuestion, base: string) {
    const parameters = new URLSearchParams(query).toString();
    const request = {
      method,
      url: `${access.origin}${access.path}${base}${path}${parameters === '' ? '' : `?${parameters}`}`,
      authorization: access.authorization,
      body: body === undefined ? null : JSON.stringify(body),
    };
    const once = () =>
      sendOnce(request, { dispatcher: pool, now, deadline: patience.deadline(tryMs), mostBytes });
    const outcome = await sendAgain(once, { repeatable: method === 'GET', whenSlow: true }, patience);
    if (outcome.kind === 'none') {
      throw whySilent(outcome, access, { tryMs, maybeSaved: method !== 'GET' });
    }
    return outcome;
  }

  async function answerTo(question: KeychainQuestion): Promise<HttpAnswer> {
    for (const base of [first, second]) {
      const answer = await send(question, base);
      const own = isOwnRefusal(answer);
      if (answer.status === 404 && !own) continue;
      // What the tracker around the service or a gateway before it says tells nothing about the path.
      if ((own || isSuccess(answer)) && base === second) [first, second] = [second, first];
      return answer;
    }
    throw unavailable(question.unknownPath, access);
  }

  return {
    async ask(question, shape) {
      const answer = await answerTo(question);
      const beside = { tryMs, maybeSaved: question.method !== 'GET' };
      if (!isSuccess(answer)) {
        // A refusal in the service's own words or for now is an answer: nothing was saved.
        const saved = beside.maybeSaved && answer.status >= 500;
        throw whyRefused(answer, access, { ...beside, maybeSaved: saved });
      }
      return readAnswer(answer.text, shape, access, beside);
    },
  };
}
