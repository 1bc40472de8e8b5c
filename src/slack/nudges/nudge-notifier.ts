import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import type { NudgeNotifier } from '../../api/nudges/nudges-api.ts';
import type { Nudge } from '../../model/nudge.ts';
import { normalHours } from '../../time/calendar.ts';
import type { Place } from '../app/handler-types.ts';
import type { NudgeParts, SlackParts } from '../app/parts.ts';
import { orElse, slackText } from '../app/show-failure.ts';
import { lastingProblem } from '../channels/audience.ts';
import { type DeliveryLog, postOnce, readDigestNote } from '../digests/post-once.ts';
import { digestPrincipal } from '../people/accounts.ts';
import { returnedMessage } from './nudge-message.ts';

/** The parts that returning answers takes. */
export type NudgeDoor = NudgeParts & Pick<SlackParts, 'pictures' | 'timeZone'>;

/**
 * Posts answers to nudges in their threads, as long as everyone there can see the issue; else, and where Slack refuses that,
 * to the person who asked, as long as they can see it.
 */
export function createNudgeNotifier(parts: NudgeDoor): NudgeNotifier {
  return {
    async returnAnswer(nudge, storeNote) {
      const { id, key, by, thread } = nudge;
      const principal = await digestPrincipal(by, parts);
      const about = issueQuestion(key, { calendar: normalHours.name, timeZone: parts.timeZone });
      const seen =
        principal === null
          ? null
          : await orElse(parts.answers.ask(issueKind, principal, about), () => null, 'not-found');
      if (principal === null || seen === null) {
        parts.log.warn({ nudge: id }, 'the person who nudged cannot see the issue any more');
        return;
      }
      const deliveries = deliveryLog(nudge, storeNote);
      const post = (part: string, place: Place, why: readonly string[]) =>
        postOnce(
          { run: id, part, ...place, make: async () => returnedMessage(nudge, why) },
          deliveries,
          parts,
        );
      let why: readonly string[] = [];
      if (thread !== null) {
        const contents = { ...seen, ...issueKind.withoutBaseline?.(seen.value) };
        why = await lastingProblem(
          await parts.answers.audienceScope(principal, contents),
          thread.channel,
          parts,
        );
        if (why.length === 0) {
          // An answer that may be there already is not posted again.
          const refused = await orElse(
            post('thread', thread, []).then(() => null),
            (error) => {
              if (error.code === 'unavailable') throw error;
              return slackText(error);
            },
          );
          if (refused === null) return;
          why = [refused];
        }
        why = [`Not posted in <#${thread.channel}>. ${why.join(' ')}`];
      }
      await post('direct', { channel: by, threadTs: null }, why);
    },
  };
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
