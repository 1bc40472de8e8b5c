import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { badRequest } from '../../model/error.ts';
import { kindOf } from '../../questions/index.ts';
import type { Place } from '../command.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { digestAskerHere } from './digest-principal-here.ts';
import { digestWordsOf, nextTold, stateWords } from './digest-words-of.ts';
import { mayComeHere } from './may-come-here.ts';
import { placeOf } from './place-of.ts';
import type { DigestWords } from './read-digest-words.ts';

/** Changes everything of a digest but what it asks, as it was filled in at a place. */
export async function changeDigest(
  id: string,
  words: Omit<DigestWords, 'question'> & { readonly title: string | null },
  account: string,
  at: Place,
  parts: DigestParts,
): Promise<Message> {
  const { digests, settings, answers } = parts;
  const by = await digestAskerHere(account, parts);
  const principal = await resolvePrincipal(account, parts);
  const kept = await digests.get(by, id);
  const place = placeOf(words, at);
  if (place.kind === 'channel' && kindOf(kept.question).isPersonal) {
    throw badRequest('What waits on somebody is for them alone. Try: to its owner alone.');
  }
  if (words.file !== null && (await answers.requestOf(principal, kept.question, parts.now())) === null) {
    throw badRequest(`with ${words.file} is not allowed here: a file is made of the issues behind a report.`);
  }
  const unsure = place.kind === 'channel' ? await mayComeHere(place.channel, parts) : null;
  const timeZone = words.timeZone ?? kept.schedule.timeZone;
  const changed = await digests.change(by, id, {
    title: words.title ?? kept.title,
    question: { ...kept.question, timeZone },
    place,
    schedule: { cron: words.cron, timeZone },
    workingDays: words.workingDays,
    file: words.file,
  });
  const calendars = await settings.calendars(principal);
  return notice(
    `*${escapeMrkdwn(changed.title)}* is told ${digestWordsOf(changed, calendars, changed.owner === account)}.`,
    `${stateWords(changed, { next: await nextTold(changed, digests) })}.`,
    ...(unsure === null ? [] : [unsure]),
  );
}
