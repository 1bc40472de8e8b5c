import type {
  AllMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import type { Logger } from 'pino';
import { createNamespace } from '../../cache/namespace.ts';
import { repeatEvery } from '../../concurrency/poller.ts';
import { AppError, failureText } from '../../model/error.ts';
import { principalIn } from '../../model/request.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { settledTexts } from '../blocks/mrkdwn.ts';
import { optionsOf, readInputs } from './form-inputs.ts';
import type { Choice, SlackMenu, SlackModal, Submission } from './handler-types.ts';
import { notice } from './message-texts.ts';
import { updateView, wordView } from './open-view.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { notifyCertainly } from './post-message.ts';
import { failureMessage, Refused } from './show-failure.ts';

/** Slack repeats a submission within minutes; more than so many will not come between. */
const MAX_ANSWERS = 500;
const ANSWER_STORED_MS = 7 * millisecondsInDay;

/** The lease (ms) of a submission, the interval of its renewals, and that of looks by other processes. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const LOOK_MS = 500;

/** The text of a modal where Slack does not take its answer. */
const ELSEWHERE = "I couldn't show the answer here, so it comes as a message.";

interface Answer {
  readonly view: ModalView;
  readonly message: Message;
}

interface Answered extends Answer {
  readonly later: Promise<Message> | null;
}

type Submitted = { readonly state: 'begun' } | ({ readonly state: 'answered' } & Answer);

type ModalParts = MessageParts & Pick<SlackParts, 'now' | 'people' | 'stored'>;

/**
 * Answers one submitted modal: acknowledged at once with a word, which the answer then replaces. A person
 * who has closed the modal by then gets the answer where they opened it. An answer that is complete later is shown at
 * once, and replaced then. A submission that Slack repeats, because our word for it was lost, is answered with the answer
 * of the first and does nothing, also where it comes to another process.
 */
export function answerModal<Parts extends ModalParts>(modal: SlackModal<Parts>, parts: Parts) {
  const { log } = parts;
  const answerOnce = createAnswerOnce(modal, parts);
  return async ({
    ack,
    body,
    view,
    client,
  }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs): Promise<void> => {
    const submission: Submission = {
      principal: principalIn(parts.people.tenant, body.user.id),
      userName: body.user.name,
      metadata: view.private_metadata,
      ...readInputs(view.state.values),
    };
    const wrong = modal.wrongAtOnce?.(submission, parts.now()) ?? {};
    if (Object.keys(wrong).length > 0) {
      await ack({ response_action: 'errors', errors: { ...wrong } });
      return;
    }
    await ack({ response_action: 'update', view: wordView(modal.title, notice(modal.meanwhile)) });
    // A modal that is shown again keeps its id and gets another hash.
    const answered = await answerOnce(`${view.id} ${view.hash}`, () =>
      answer(modal, submission, parts),
    ).catch((error: unknown) => failed(error, modal, log));
    const show = async (shown: ModalView) => {
      const update = (one: ModalView) =>
        updateView(() => client.views.update({ view_id: view.id, view: settledTexts(one) }), parts.wait);
      try {
        return (await update(shown)) === 'shown';
      } catch (error) {
        log.warn({ err: error, modal: modal.id }, 'a modal does not show its answer, sending it elsewhere');
        await update(wordView(modal.title, notice(ELSEWHERE))).catch(() => null);
        return false;
      }
    };
    let isOpen = await show(answered.view);
    const last = await answered.later;
    if (isOpen && last !== null) isOpen = await show(wordView(modal.title, last));
    if (isOpen) return;
    await notifyCertainly(body.user.id, modal.placeOf(submission), last ?? answered.message, parts);
  };
}

/**
 * Makes the answer of a submission in one process. Others wait for it, and one of them makes it where that process was
 * killed before it had answered.
 */
function createAnswerOnce(
  { id, title }: Pick<SlackModal<never>, 'id' | 'title'>,
  { now, stored, wait, log }: Pick<SlackParts, 'now' | 'stored' | 'wait' | 'log'>,
): (key: string, make: () => Promise<Answered>) => Promise<Answered> {
  const submissions = createNamespace<Submitted>({
    name: `slack-modal-${id}`,
    ttlMs: ({ state }) => (state === 'begun' ? LEASE_MS : ANSWER_STORED_MS),
    maxEntries: MAX_ANSWERS,
    now,
    backing: stored,
    // Otherwise a clock that was set back would have something done twice.
    fromFuture: 'good',
  });
  const begun: Submitted = { state: 'begun' };
  const onUnwritten = (error: unknown) =>
    log.warn(
      { err: error, modal: id },
      'a submission could not be noted; if Slack repeats it, it may be done again',
    );

  return async (key, make) => {
    const store = ({ view, message }: Answer) =>
      submissions.set(key, { state: 'answered', view, message }).catch(onUnwritten);
    const renew = () => submissions.change(key, (before) => before ?? begun).catch(onUnwritten);
    for (;;) {
      const known = await submissions.get(key);
      if (known?.state === 'answered') return { ...known, later: null };
      if (known === undefined && (await submissions.add(key, begun))) break;
      await wait(LOOK_MS);
    }
    const stopRenewing = repeatEvery(RENEW_MS, () => void renew());
    try {
      const answered = await make();
      await store(answered);
      const later = answered.later?.then(async (message) => {
        await store({ view: wordView(title, message), message });
        return message;
      });
      return { ...answered, later: later ?? null };
    } finally {
      stopRenewing();
    }
  };
}

async function answer<Parts extends ModalParts>(
  modal: SlackModal<Parts>,
  submission: Submission,
  parts: Parts,
): Promise<Answered> {
  const { log } = parts;
  try {
    const { again, later, ...message } = await modal.answer(submission, parts);
    // Whatever becomes of the rest, what was answered stays true.
    const known = later?.catch((error: unknown): Message => {
      const failure = failureMessage(error, { modal: modal.id }, log);
      return { text: `${message.text}\n${failure.text}`, blocks: [...message.blocks, ...failure.blocks] };
    });
    return { message, view: again ?? wordView(modal.title, message), later: known ?? null };
  } catch (error) {
    return failed(error, modal, log);
  }
}

function failed(
  error: unknown,
  { id, title }: Pick<SlackModal<never>, 'id' | 'title'>,
  log: Logger,
): Answered {
  const message = failureMessage(error, { modal: id }, log);
  const shown = error instanceof Refused ? title : "That didn't work";
  return { message, view: wordView(shown, message), later: null };
}

const CHOICES_MS = 60_000;
const MAX_ACCOUNTS = 500;

/** Slack waits three seconds; a menu without options can be typed into again. */
const TIMEOUT_MS = 2_000;

/** Fills a menu with the choices that hold what was typed. */
export function answerMenu<Parts extends Pick<SlackParts, 'now' | 'wait' | 'log'>>(
  menu: SlackMenu<Parts>,
  parts: Parts,
) {
  const { log } = parts;
  const known = createNamespace<readonly Choice[]>({
    name: `slack-menu-${menu.id}`,
    ttlMs: CHOICES_MS,
    maxEntries: MAX_ACCOUNTS,
    now: parts.now,
  });
  const found = async (account: string, query: string): Promise<readonly Choice[]> => {
    const wanted = query.trim().toLowerCase();
    const choices = await known.getOrMake(account, () => menu.choices(account, parts));
    const fitting = choices.filter((choice) => choice.some((text) => text.toLowerCase().includes(wanted)));
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
        // Too early is answered in words elsewhere; only what no one foresaw needs its stack.
        const isForeseen = error instanceof AppError && error.cause === undefined;
        if (isForeseen) log.info({ why: failureText(error), menu: menu.id }, 'a menu stays empty');
        else log.warn({ err: error, menu: menu.id }, 'a menu could not be filled');
        return [];
      }),
      parts.wait(TIMEOUT_MS).then((): readonly Choice[] => []),
    ]);
    await ack({ options: settledTexts(optionsOf(choices).slice(0, limits.select.options)) });
  };
}
