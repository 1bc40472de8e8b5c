import type { DigestPostParts } from '../../src/slack/app/parts.ts';
import type { DigestStore } from '../../src/store/job-stores.ts';

/**
 * What a period of a digest goes through, in order: written; claimed; noted that its message is tried; posted; noted
 * where it stands; ended.
 */
export const digestMoments = ['written', 'claimed', 'tried', 'posted', 'recorded', 'ended'] as const;
export type DigestMoment = (typeof digestMoments)[number];

/** Told of each moment when it has just come, before anything else happens. */
export type DigestOnlooker = (moment: DigestMoment) => void;

/** A store that tells what periods come to. */
export function watchedDigests(store: DigestStore, come: DigestOnlooker): DigestStore {
  return {
    ...store,
    async addRuns(...told) {
      const isWritten = await store.addRuns(...told);
      if (isWritten) come('written');
      return isWritten;
    },
    async claim(...told) {
      const held = await store.claim(...told);
      if (held !== null) come('claimed');
      return held;
    },
    async putNote(id, due, lease, note) {
      const isKept = await store.putNote(id, due, lease, note);
      if (isKept && note.trying === 'message') come('tried');
      if (isKept && note.ts !== undefined && note.ts !== '') come('recorded');
      return isKept;
    },
    async finish(...told) {
      const isEnded = await store.finish(...told);
      if (isEnded) come('ended');
      return isEnded;
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
