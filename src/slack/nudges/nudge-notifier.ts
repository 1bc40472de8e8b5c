import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import type { NudgeNotifier } from '../../api/nudges/nudges-api.ts';
import type { Nudge } from '../../model/nudge.ts';
import type { AudienceScope } from '../../model/request.ts';
import { normalHours } from '../../time/calendar.ts';
import type { NudgeParts, SlackParts } from '../app/parts.ts';
import { orElse, slackText } from '../app/show-failure.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { lastingProblem } from '../channels/audience.ts';
import { type DeliveryLog, postOnce, readDigestNote } from '../digests/post-once.ts';
import { digestPrincipal } from '../people/accounts.ts';
import { directReply, threadReply } from './nudge-message.ts';

/** The parts that returning answers takes. */
export type NudgeDoor = NudgeParts & Pick<SlackParts, 'pictures' | 'timeZone'>;

/**
 * Posts answers to nudges in their threads, as long as everyone there can see the issue; else, and where Slack refuses that,
 * to the person who asked, as long as they can see it.
 */
export function createNudgeNotifier(parts: NudgeDoor): NudgeNotifier {
  return {
    async returnAnswer(nudge, storeNote) {
      const { id: run, by, thread } = nudge;
      const scope = await scopeOf(nudge, parts);
      if (scope === 'unseen') {
        parts.log.warn({ nudge: run }, 'the person who nudged cannot see the issue any more');
        return;
      }
      const deliveries = deliveryLog(nudge, storeNote);
      let why: readonly string[] = [];
      if (thread !== null) {
        why = await lastingProblem(scope, thread.channel, parts);
        if (why.length === 0) {
          const make = async () => {
            await leaving(nudge, thread.channel, parts);
            return threadReply(nudge);
          };
          // A reply that may be there already is not posted again.
          const posted = postOnce({ run, part: 'thread', ...thread, make }, deliveries, parts);
          why = await orElse(
            posted.then(() => []),
            (error) => [slackText(error)],
            'refused-by-slack',
          );
          if (why.length === 0) return;
        }
        why = [`Not posted in <#${escapeMrkdwn(thread.channel)}>. ${why.join(' ')}`];
      }
      const make = async () => {
        await leaving(nudge, by, parts);
        return directReply(nudge, why);
      };
      await postOnce({ run, part: 'direct', channel: by, threadTs: null, make }, deliveries, parts);
    },
  };
}

/** Writes that the answer to a nudge leaves for a channel, or for the person who asked. */
function leaving({ key, by, account }: Nudge, channel: string, { audit }: NudgeDoor): Promise<void> {
  const facts = { people: { by, account, to: channel } };
  return audit.leaving({ subject: { kind: 'nudge', id: key }, verb: 'posted', facts });
}

/** The scope of the issue for the person who asked, which shows who else can read of it; `unseen` where they cannot see it. */
async function scopeOf(
  { key, by }: Nudge,
  { answers, timeZone, ...parts }: NudgeDoor,
): Promise<AudienceScope | null | 'unseen'> {
  const principal = await digestPrincipal(by, parts);
  if (principal === null) return 'unseen';
  const question = issueQuestion(key, { calendar: normalHours.name, timeZone });
  const seen = await orElse(answers.ask(issueKind, principal, question), () => null, 'not-found');
  if (seen === null) return 'unseen';
  return answers.audienceScope(principal, { ...seen, ...issueKind.withoutBaseline?.(seen.value) });
}

/** The note of a delivery, by which the next process knows what was tried. */
function deliveryLog({ note }: Nudge, storeNote: (note: Nudge['note']) => Promise<void>): DeliveryLog {
  let current = readDigestNote(note);
  return {
    note: () => current,
    async store(changes) {
      current = { ...current, ...changes };
      await storeNote({ ...current });
    },
  };
}
