import type { AllMiddlewareArgs, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import { limits } from '../../block-kit/limits.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { AppError, failureText } from '../../model/error.ts';
import { optionsOf } from './form-inputs.ts';
import type { Choice, SlackMenu } from './handler-types.ts';
import { settledTexts } from './message-texts.ts';
import type { SlackParts } from './parts.ts';

const KEPT_MS = 60_000;
const KEPT_ACCOUNTS = 500;

/** Slack waits three seconds; a menu that says nothing can be typed into again. */
const PATIENCE_MS = 2_000;

/** Answers what Slack asks for a menu, with the choices that hold what was typed. */
export function answerMenu<Parts extends Pick<SlackParts, 'now' | 'wait'>>(
  menu: SlackMenu<Parts>,
  parts: Parts,
  log: Logger,
) {
  const kept = createNamespace<readonly Choice[]>({
    ...{ name: `slack-menu-${menu.id}`, ttlMs: KEPT_MS, most: KEPT_ACCOUNTS, now: parts.now },
  });
  const choicesFor = (account: string) => kept.getOrMake(account, () => menu.choices(account, parts));
  const found = async (account: string, query: string): Promise<readonly Choice[]> => {
    const wanted = query.trim().toLowerCase();
    const fitting = (await choicesFor(account)).filter(([title, value]) =>
      [title, value].some((text) => text.toLowerCase().includes(wanted)),
    );
    if (wanted === '' || menu.typed === undefined) return fitting;
    const typed = await menu.typed(query.trim(), account, parts);
    return typed === null || fitting.some(([, value]) => value.toLowerCase() === typed[1].toLowerCase())
      ? fitting
      : [typed, ...fitting];
  };
  return async ({
    ack,
    body,
    payload,
  }: SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs): Promise<void> => {
    const choices = await Promise.race([
      found(body.user.id, payload.value).catch((error: unknown): readonly Choice[] => {
        // Whoever asks too early is refused in words elsewhere; only what nobody foresaw needs its stack.
        const isForeseen = error instanceof AppError && error.cause === undefined;
        if (isForeseen) log.info({ why: failureText(error), menu: menu.id }, 'a menu stays empty');
        else log.warn({ err: error, menu: menu.id }, 'a menu could not be filled');
        return [];
      }),
      parts.wait(PATIENCE_MS).then((): readonly Choice[] => []),
    ]);
    await ack({ options: settledTexts(optionsOf(choices).slice(0, limits.select.options)) });
  };
}
