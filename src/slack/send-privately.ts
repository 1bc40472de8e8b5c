import { RespondError, type RespondFn } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Message } from './message.ts';
import type { Pictures } from './pictures/pictures.ts';
import { mayBeRefused, plainer } from './pictures/plainer.ts';
import { withShownChart } from './pictures/with-pictures.ts';
import { withinLimits } from './within-limits.ts';

/** How often a response URL works; each refusal may cost one. */
const USES = 5;

/**
 * Sends messages only the asker sees, in order. A message whose blocks break Slack's limits goes out as text. Once
 * Slack refuses a chart or a table, everything left goes out as one plainer message. Without `pictures` charts that
 * Slack does not draw are words.
 */
export async function sendPrivately(
  messages: readonly Message[],
  respond: RespondFn,
  log: Logger,
  pictures: Pictures | null = null,
): Promise<void> {
  for (const [i, message] of messages.entries()) {
    const shown = pictures === null ? message : await withShownChart(message, null, pictures);
    try {
      await say(withinLimits(shown, log), respond, false);
    } catch (error) {
      if (!isRefusal(error) || !mayBeRefused(shown)) throw error;
      log.warn({ err: error }, 'a message with a chart or a table was refused, sending it more plainly');
      const left = joined([shown, ...messages.slice(i + 1)]);
      return sayPlainer(left, error, { respond, log, pictures, uses: USES - i - 1, replaces: false });
    }
  }
}

/** Makes the private message that was clicked in another one, with the same care. */
export async function replacePrivately(
  message: Message,
  respond: RespondFn,
  log: Logger,
  pictures: Pictures | null = null,
): Promise<void> {
  const shown = pictures === null ? message : await withShownChart(message, null, pictures);
  try {
    await say(withinLimits(shown, log), respond, true);
  } catch (error) {
    if (!isRefusal(error) || !mayBeRefused(shown)) throw error;
    log.warn({ err: error }, 'a message with a chart or a table was refused, sending it more plainly');
    await sayPlainer(shown, error, { respond, log, pictures, uses: USES - 1, replaces: true });
  }
}

/** The plainest forms that there are uses left for; fails as the last of them does. */
async function sayPlainer(
  message: Message,
  refusal: unknown,
  {
    respond,
    log,
    pictures,
    uses,
    replaces,
  }: {
    readonly respond: RespondFn;
    readonly log: Logger;
    readonly pictures: Pictures | null;
    readonly uses: number;
    readonly replaces: boolean;
  },
): Promise<void> {
  let last = refusal;
  const rungs = plainer(message, pictures);
  for (const rung of rungs.slice(Math.max(0, rungs.length - Math.max(1, uses)))) {
    try {
      await say(withinLimits(await rung.make(), log), respond, replaces);
      return rung.taken();
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

/**
 * Slack looked at the message and did not like it; a failure of Slack is none. Refused blocks were seen to answer 404
 * as well (java-slack-sdk issue 1349), as a used-up address does, which then refuses whatever comes.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof RespondError && error.statusCode >= 400 && error.statusCode < 500;
}

async function say({ text, blocks }: Message, respond: RespondFn, replaces: boolean): Promise<void> {
  await respond({
    response_type: 'ephemeral',
    replace_original: replaces,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
  });
}
