import { z } from 'zod';
import { AppError, badRequest, badRequestAs, sentencesOf } from '../../model/error.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input } from '../app/form-inputs.ts';
import type { Click, SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice, offer } from '../app/message-texts.ts';
import { openView } from '../app/open-view.ts';
import type { DigestParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { showInstead } from '../app/row-menu.ts';
import { storeAnswer } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { button, context } from '../blocks/mrkdwn.ts';
import { digestPrincipal, digestPrincipalHere } from '../people/accounts.ts';
import { CARD, digestCard, LIST, titleWords } from './describe-digest.ts';
import { listDigests } from './digest-command.ts';
import { answerIn, digestView, ownerOf } from './post-period.ts';

/** Shows what became of a digest: in the list or the message of its button, else as one more message. */
async function showOutcome(click: Click, outcome: Message, parts: DigestParts): Promise<readonly Message[]> {
  const [, where, start] = click.value.split(' ');
  if (where === CARD) return showInstead(click, 'Digest', outcome, parts);
  if (where !== LIST) return [outcome];
  const list = await listDigests(click.principal.account, click.place.channel, Number(start), parts);
  return showInstead(click, 'Digests', list, parts);
}

/** A button beside a digest; its value is the id and what it is beside. */
function changing(change: 'pause' | 'resume', outcome: string): SlackAction<DigestParts> {
  return {
    id: `digest-${change}`,
    async run(click, parts) {
      const [id = ''] = click.value.split(' ');
      const by = await digestPrincipalHere(click.principal.account, parts);
      const digest = await parts.digests[change](by, id);
      const card = await digestCard(digest, `${titleWords(digest)} ${outcome}`, [], parts);
      return showOutcome(click, card, parts);
    },
  };
}

/** *Pause* beside a digest. */
export const digestPause: SlackAction<DigestParts> = changing('pause', 'is paused.');

/** *Resume* beside a digest. */
export const digestResume: SlackAction<DigestParts> = changing('resume', 'is scheduled again.');

/** *Delete* in the menu of a digest, whose value ends with `ask`, and the buttons that do it or leave it (`keep`). */
export const digestDelete: SlackAction<DigestParts> = {
  id: 'digest-delete',
  async run(click, parts) {
    const [id = '', ...where] = click.value.split(' ');
    const by = await digestPrincipalHere(click.principal.account, parts);
    const title = titleWords(await parts.digests.get(by, id));
    if (where.at(-1) === 'ask') {
      const question = `Delete ${title}? Messages it already posted are not deleted.`;
      const confirm = button('Delete', 'digest-delete', `${id} ${CARD}`, 'danger');
      return [offer(question, confirm, button('Cancel', 'digest-delete:keep', `${id} ${CARD} keep`))];
    }
    if (where.at(-1) === 'keep') return showOutcome(click, notice(`${title} is not deleted.`), parts);
    await parts.digests.remove(by, id);
    return showOutcome(
      click,
      notice(`${title} is deleted. Messages it already posted are not deleted.`),
      parts,
    );
  },
};

/** *Preview* beside a digest; its value begins with the id. Exactly what would be posted now, and whether it would be. */
export const digestPreview: SlackAction<DigestParts> = {
  id: 'digest-preview',
  async run({ value, principal: { account } }, parts) {
    const [id = ''] = value.split(' ');
    const digest = await parts.digests.get(await digestPrincipalHere(account, parts), id);
    const principal = await ownerOf(digest, parts);
    const whole = await parts.answers.answer(principal, digest.question, parts.now());
    const { answer, reasons } = await answerIn(digest.place, whole, principal, parts);
    const period = { digest, answer, run: { due: answer.asOf }, lateMs: null, missed: [] };
    const stored = await storeAnswer(account, answer, parts.answers);
    const { message, details } = await digestView(period, stored, parts);
    const lead =
      reasons.length > 0
        ? `I would *not* post this now. ${reasons.join(' ')} Only you see it:`
        : answer.isEmpty
          ? 'There is nothing to report now, so I would post nothing. Otherwise it looks like this:'
          : 'Preview, as I would post it now:';
    return [notice(lead), message, ...details.slice(0, MAX_DETAILS)];
  },
};

/** Slack takes five private messages for one click. */
const MAX_DETAILS = 3;

/**
 * *Become the owner* under the message that the owner of a channel's digest left; its value is the id. Everyone who reads
 * there can press it, an admin from anywhere. Messages that are out there name the action so.
 */
export const becomeOwner: SlackAction<DigestParts> = {
  id: 'digest-take-over',
  async run({ value, principal: { account: user }, place: { channel } }, parts) {
    const by = await digestPrincipalHere(user, parts);
    const digest = (await parts.digests.list(by, channel)).find(({ id }) => id === value);
    const found = digest ?? (by.rights === 'admin' ? await parts.digests.get(by, value) : null);
    if (found === null) throw new AppError('unknown-digest', 'This digest is no longer posted here.');
    const name = titleWords(found);
    if (found.owner === user) return [notice(`${name} is yours. \`/tis digest\` shows it.`)];
    if ((await digestPrincipal(found.owner, parts)) !== null) {
      throw new AppError('owner-only', 'The owner of this digest is still active here.', [
        'Ask them or an admin to change the owner in /tis digest.',
      ]);
    }
    if ((await digestPrincipal(user, parts)) === null) {
      throw new AppError('unknown-person-asks', "Guests who aren't in the tracker can't own a digest.");
    }
    await parts.digests.takeOver(by, value, found.owner);
    return [notice(`${name} is yours now and runs with your permissions. \`/tis digest\` shows it.`)];
  },
};

const ownerForm = defineForm({
  id: 'digest-new-owner',
  title: 'Change owner',
  submit: 'Change owner',
  carried: z.object({ id: z.string(), at: placeSchema }),
  carry: ({ id, at }) => ({ id, at }),
  reads: { owner: entered.account },
  rows: () => [
    field('owner', 'New owner', input.account),
    context(
      "The digest then runs with their permissions, and they are notified if it can't be posted. `me` in its report still means the person who created it.",
    ),
  ],
});

/** *Change owner* beside a digest; its value is the id. */
export const changeOwner: SlackAction<object> = {
  id: 'digest-change-owner',
  run({ value, place: at, open }) {
    const [id = ''] = value.split(' ');
    return openView(() => open(ownerForm.view({ id, at, owner: null }, null)), 'Please try again.');
  },
};

/** The new owner of a digest, submitted: both people are notified. */
export const newOwner: SlackModal<DigestParts> = ownerForm.modal({
  meanwhile: 'Checking the report with their permissions…',
  placeOf: ({ at }) => at,
  async answer({ id, owner: account }, { principal: { account: user } }, parts) {
    const newPrincipal = account === null ? null : await digestPrincipal(account, parts);
    if (account === null || newPrincipal === null) {
      throw badRequestAs(
        'unknown-name',
        "This account can't own a digest. Choose a member of this workspace.",
      );
    }
    const by = await digestPrincipalHere(user, parts);
    const { name } = await parts.accounts.profileOf(account);
    const digest = await parts.digests.get(by, id);
    const answered = parts.answers.answer(newPrincipal, digest.question, parts.now());
    const answer = await answered.catch((error: unknown): never => {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      throw badRequest(
        `The report doesn't work with ${name}'s permissions: ${sentencesOf(error).join(' ')}`,
        "The owner wasn't changed. Choose someone who can see its issues.",
      );
    });
    const { reasons } = await answerIn(digest.place, answer, newPrincipal, parts);
    const remarks = reasons.length === 0 ? [] : ["I can't post it right now.", ...reasons];
    await parts.digests.handOver(by, id, account);
    const title = titleWords(digest);
    if (account !== user) {
      const lead = `<@${user}> made you the owner of the digest ${title}. It now runs with your permissions; \`/tis digest\` shows it.`;
      await sendDirectMessage(account, notice(lead, ...remarks), parts);
    }
    return notice(`${title} now belongs to <@${account}>.`, ...remarks);
  },
});
