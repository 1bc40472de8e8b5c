import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { notifyCertainly } from './direct-message.ts';
import type { Place } from './handler-types.ts';
import type { MessageParts } from './parts.ts';
import { canBeRefused, fallbacks, type Pictures, withShownChart } from './pictures.ts';
import { withinLimits } from './post-message.ts';
import { createResponseLine, isRefusal, type Respond, type ResponseLine } from './response-line.ts';

/** Somebody who waits for words only they see: where they asked, and the response URL that leads there. */
export interface Listener {
  readonly account: string;
  readonly place: Place;
  readonly respond: Respond;
}

/**
 * Sends messages only the principal sees, in order. A message whose blocks break Slack's limits goes out as text. Once
 * Slack refuses a chart or a table, everything left goes out as one plainer message. What the response URL does not take
 * is told by the Web API; it never fails.
 */
export async function sendPrivately(
  messages: readonly Message[],
  listener: Listener,
  parts: MessageParts & { readonly patienceMs?: number },
): Promise<void> {
  const line = createResponseLine(listener.respond, parts);
  for (const i of messages.keys()) {
    const left = messages.slice(i);
    const isSaid = await saidOrHandedOver(left, { line, replaces: false }, listener, parts);
    if (!isSaid) return;
  }
}

/** Makes the private message that was clicked in another one, with the same care; else it comes as one more. */
export async function replacePrivately(
  message: Message,
  listener: Listener,
  parts: MessageParts,
): Promise<void> {
  const line = createResponseLine(listener.respond, parts);
  await saidOrHandedOver([message], { line, replaces: true }, listener, parts);
}

/** Says the first of the messages; false where that did not do and all of them went another way. */
async function saidOrHandedOver(
  messages: readonly Message[],
  way: { readonly line: ResponseLine; readonly replaces: boolean },
  { account, place }: Listener,
  parts: MessageParts,
): Promise<boolean> {
  const [first] = messages;
  if (first === undefined) return true;
  const { log, pictures = null } = parts;
  try {
    const shown = pictures === null ? first : await withShownChart(first, null, pictures);
    try {
      await way.line.say(withinLimits(shown, log), way.replaces);
      return true;
    } catch (error) {
      if (!isRefusal(error) || !canBeRefused(shown)) throw error;
      log.warn({ err: error }, 'a message with a chart or a table was refused, sending it more plainly');
      await sayPlainer(joined([shown, ...messages.slice(1)]), error, way, { log, pictures });
      return false;
    }
  } catch (error) {
    log.warn({ err: error, account }, 'a response URL did not take a message, telling it by the Web API');
    for (const message of messages) await notifyCertainly(account, place, message, parts);
    return false;
  }
}

/** The plainest forms that there are uses left for; fails as the last of them does. */
async function sayPlainer(
  message: Message,
  refusal: unknown,
  { line, replaces }: { readonly line: ResponseLine; readonly replaces: boolean },
  { log, pictures }: { readonly log: Logger; readonly pictures: Pictures | null },
): Promise<void> {
  let last = refusal;
  const rungs = fallbacks(message, pictures);
  for (const fallback of rungs.slice(Math.max(0, rungs.length - Math.max(1, line.left())))) {
    try {
      await line.say(withinLimits(await fallback.make(), log), replaces);
      return fallback.taken();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      last = error;
    }
  }
  throw last;
}

function joined(messages: readonly Message[]): Message {
  return {
    text: messages.map((message) => message.text).join('\n\n'),
    blocks: messages.flatMap((message) => message.blocks),
  };
}
