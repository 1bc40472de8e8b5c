import { z } from 'zod';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError, badRequest, badRequestAs, sentencesOf } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { countOf, countWords } from '../../questions/view/figure-words.ts';
import { sendDirectMessage } from '../app/direct-message.ts';
import type { SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openView } from '../app/open-view.ts';
import type { DigestParts } from '../app/parts.ts';
import { digestPrincipal, digestPrincipalHere } from '../people/principals.ts';
import { previewProblem } from './digest-preview.ts';

/**
 * *Take it over* under the word that the owner of a channel's digest is gone; its value is the id. Whoever presses it in
 * that channel reads there; an admin may from anywhere.
 */
export const digestTakeOver: SlackAction<DigestParts> = {
  id: 'digest-take-over',
  async run({ value, principal: { account: user }, place: { channel } }, parts) {
    const by = await digestPrincipalHere(user, parts);
    const digest = (await parts.digests.list(by, channel)).find(({ id }) => id === value);
    const found = digest ?? (by.rights === 'admin' ? await parts.digests.get(by, value) : null);
    if (found === null) throw new AppError('unknown-digest', 'This digest is not told here any more.');
    const name = escapeMrkdwn(found.title);
    if (found.owner === user) return [notice(`*${name}* is yours. \`/tis digest\` shows it.`)];
    if ((await digestPrincipal(found.owner, parts)) !== null) {
      throw new AppError('owner-only', 'This digest has an owner who works here.', [
        'Ask its owner, or an admin, to hand it over: `/tis digest` shows whose it is.',
      ]);
    }
    if ((await digestPrincipal(user, parts)) === null) {
      throw new AppError('unknown-person-asks', 'Guests whom the tracker does not know cannot own a digest.');
    }
    await parts.digests.takeOver(by, value, found.owner);
    return [
      notice(
        `*${name}* is yours now: from the next time on it is asked with your rights. \`/tis digest\` shows, changes and pauses it.`,
      ),
    ];
  },
};

/** *Hand over* beside a digest; its value is the id. */
export const digestHandOver: SlackAction<object> = {
  id: 'digest-hand-over',
  run: ({ value, place, open }) =>
    openView(
      () =>
        open({
          type: 'modal',
          callback_id: 'digest-new-owner',
          private_metadata: JSON.stringify({ id: value, at: place }),
          title: { type: 'plain_text', text: 'Hand over' },
          submit: { type: 'plain_text', text: 'Hand over' },
          close: { type: 'plain_text', text: 'Cancel' },
          blocks: [
            {
              type: 'input',
              block_id: 'owner',
              label: { type: 'plain_text', text: 'To whom' },
              element: { type: 'users_select', action_id: 'owner' },
            },
            ...notice(
              'From then on it is asked with their rights, and they are told when it fails. What it asks stays: `assignee me` in it is still who made it.',
            ).blocks,
          ],
        }),
      'Please press the button again.',
    ),
};

const carried = z.object({
  id: z.string(),
  at: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
});

/** Who is to own a digest from now on, submitted: both sides are told. */
export const digestNewOwner: SlackModal<DigestParts> = {
  id: 'digest-new-owner',
  title: 'Hand over',
  meanwhile: 'Handing it over…',
  placeOf: ({ metadata }) => carried.parse(JSON.parse(metadata)).at,
  async answer({ metadata, accounts, principal: { account: user }, userName }, parts) {
    const { id } = carried.parse(JSON.parse(metadata));
    const [account] = accounts.owner ?? [];
    if (account === undefined)
      throw badRequestAs('missing-value', 'To whom is missing. Try: somebody of this workspace.');
    const newPrincipal = await digestPrincipal(account, parts);
    if (newPrincipal === null) {
      throw badRequestAs(
        'unknown-name',
        'This account belongs to nobody who works here. Try: somebody of this workspace.',
      );
    }
    const by = await digestPrincipalHere(user, parts);
    const { name: newOwner } = await parts.accounts.profileOf(account);
    const changes = await tryForNewOwner(await parts.digests.get(by, id), newPrincipal, newOwner, parts);
    const { title } = await parts.digests.handOver(by, id, account);
    const name = escapeMrkdwn(title);
    if (account !== user) {
      const word = `${escapeMrkdwn(userName)} has handed the digest *${name}* over to you: from now on it is asked with your rights. \`/tis digest\` shows it.`;
      await sendDirectMessage(account, notice(word, ...changes), parts);
    }
    return notice(`*${name}* is ${escapeMrkdwn(newOwner)}’s now.`, ...changes);
  },
};

/**
 * Asks what a digest asks with the rights of who is to own it, before they do: a `bad-request` where that fails; else
 * what becomes different, in sentences (mrkdwn).
 */
async function tryForNewOwner(
  digest: Digest,
  principal: Principal,
  name: string,
  parts: DigestParts,
): Promise<readonly string[]> {
  const issuesFor = async (who: Principal) =>
    (await parts.answers.answer(who, digest.question, parts.now())).contents?.issues ?? null;
  try {
    const reasons = await previewProblem(digest, principal, parts);
    const theirs = await issuesFor(principal);
    const owner = await digestPrincipal(digest.owner, parts);
    const before = owner === null ? null : await issuesFor(owner).catch(() => null);
    return [
      ...(theirs === null || before === null || theirs === before
        ? []
        : [
            `With the rights of ${escapeMrkdwn(name)} it tells of ${countOf(theirs, 'issue')}, not of ${countWords(before)}.`,
          ]),
      ...(reasons.length === 0 ? [] : ['As things are it would *not* be posted:', ...reasons]),
    ];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    throw badRequest(
      `With the rights of ${name} it cannot be asked: ${sentencesOf(error).join(' ')}`,
      'Nothing is changed. Try: somebody who may see what it asks about.',
    );
  }
}
