import type { DigestRun } from '../../src/model/digest.ts';
import type { DigestPostParts } from '../../src/slack/app/parts.ts';
import type { TenantStore } from '../../src/store/store.ts';

type DigestsStore = Pick<TenantStore, 'digests' | 'periods'>;

/**
 * What a period of a digest goes through, in order: written; claimed; noted that its message is tried; posted; noted
 * where it stands; ended.
 */
export const digestMoments = ['written', 'claimed', 'tried', 'posted', 'recorded', 'ended'] as const;
export type DigestMoment = (typeof digestMoments)[number];

/** Told of each moment when it has just come, before anything else happens. */
export type DigestOnlooker = (moment: DigestMoment) => void;

/** A store that tells what periods come to. */
export function watchedDigests({ digests, periods }: DigestsStore, come: DigestOnlooker): DigestsStore {
  return {
    digests,
    periods: {
      ...periods,
      async change(...told) {
        const changes = await periods.change(...told);
        if (changes.put?.some(({ run }) => run.state === 'claimed')) come('written');
        return changes;
      },
      async claim(...told) {
        const period = await periods.claim(...told);
        if (period !== null) come('claimed');
        return period;
      },
      async keep(id, lease, change, how) {
        let note: DigestRun['note'] = {};
        const isKept = await periods.keep(
          id,
          lease,
          (stored) => {
            const changed = change(stored);
            if (changed !== null && changed.run.note !== stored.run.note) note = changed.run.note;
            return changed;
          },
          how,
        );
        if (isKept && note.trying === 'message') come('tried');
        if (isKept && note.ts !== undefined && note.ts !== '') come('recorded');
        return isKept;
      },
      async release(id, lease, change) {
        let isEnd = false;
        const isReleased = await periods.release(id, lease, (stored) => {
          const changed = change(stored);
          isEnd = changed !== null && changed.run.state !== 'claimed';
          return changed;
        });
        if (isReleased && isEnd) come('ended');
        return isReleased;
      },
    },
  };
}

/** A door that tells when Slack has taken a message. */
export function watchedDoor(door: DigestPostParts, come: DigestOnlooker): DigestPostParts {
  const { chat } = door.web;
  const post = chat.postMessage.bind(chat);
  const postMessage: typeof chat.postMessage = async (message) => {
    const posted = await post(message);
    come('posted');
    return posted;
  };
  Object.assign(chat, { postMessage });
  return door;
}
