import { STATUS_CODES } from 'node:http';
import { RespondError, type RespondFn } from '@slack/bolt';
import type { Logger } from 'pino';
import { request } from 'undici';
import { z } from 'zod';
import type { Message } from '../../block-kit/message.ts';
import { isPassing } from './slack-refusal.ts';

/** How often a response URL works; a try that failed may have cost one. */
const USES = 5;

/** After how long it is tried again where Slack, or the way to it, failed. */
const PAUSES_MS = [200, 1_000];

/** Else it would be waited for as long as the line stays open. */
const PATIENCE_MS = 5_000;

/** What is said through one response URL. */
export interface ResponseLine {
  /** Says it, or makes the message it belongs to another one. Fails as the last try does. */
  say(message: Message, replaces: boolean): Promise<void>;
  /** How many uses are left. */
  left(): number;
}

/** Slack answered 200, and said in the body that it did not do what it was asked; `word` is why. */
class ResponseRefused extends Error {
  readonly word: string;

  constructor(word: string) {
    super(`Slack did not take what was said through a response URL: ${word}`);
    this.name = 'ResponseRefused';
    this.word = word;
  }
}

const refusing = z.object({ ok: z.literal(false), error: z.string().catch('unknown') });

/** Slack's usual answer is the word ok. */
async function refuseInBody(answer: unknown): Promise<void> {
  if (typeof answer !== 'object' || answer === null || !('text' in answer)) return;
  const { text } = answer;
  const body: unknown = typeof text === 'function' ? await text.call(answer) : text;
  const read = refusing.safeParse(jsonOf(String(body)));
  if (read.success) throw new ResponseRefused(read.data.error);
}

function jsonOf(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A line on which a failure of Slack is tried again while uses last: what is private may well be told twice. */
export function createResponseLine(
  respond: Respond,
  {
    wait,
    log,
    patienceMs = PATIENCE_MS,
  }: { readonly wait: (ms: number) => Promise<void>; readonly log: Logger; readonly patienceMs?: number },
): ResponseLine {
  let left = USES;
  async function say(message: Message, replaces: boolean, pauses: readonly number[]): Promise<void> {
    left -= 1;
    try {
      await within(patienceMs, respond(saidAs(message, replaces)).then(refuseInBody));
    } catch (error) {
      const [pause, ...later] = pauses;
      if (isRefusal(error) || pause === undefined || left <= 0) throw error;
      log.warn({ err: error }, 'a response URL failed, trying it again');
      await wait(pause);
      await say(message, replaces, later);
    }
  }
  return { say: (message, replaces) => say(message, replaces, PAUSES_MS), left: () => left };
}

/**
 * Slack looked at the message and did not like it; a failure of Slack is none, and nor is its wish to be left alone.
 * Refused blocks were seen to answer 404 as well (java-slack-sdk issue 1349), as a used-up address does, which then
 * refuses whatever comes.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ResponseRefused) return !isPassing(error.word);
  if (!(error instanceof RespondError)) return false;
  return error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 429;
}

function saidAs({ text, blocks }: Message, replaces: boolean): Said {
  return {
    response_type: 'ephemeral',
    replace_original: replaces,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Slack did not answer within ${ms} ms`)), ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is said through a response URL. */
type Said = Exclude<Parameters<RespondFn>[0], string>;

/** Says something there, as Bolt's `respond` does. What comes of it has a `text`; no success is a `RespondError`. */
export type Respond = (message: Said) => Promise<unknown>;

/** In place of Bolt's own, which asks by `fetch`: that takes three times as much of the processor. */
export function respondAt(url: string): Respond {
  return async (message) => {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Dwell' },
      body: JSON.stringify(message),
    });
    const text = await body.text();
    if (statusCode >= 200 && statusCode < 300) return { text: async () => text };
    const reason = `Failed to respond to the response_url: ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;
    throw new RespondError(reason, statusCode);
  };
}
