/**
 * Words from one process of this Dwell to the others, about one tenant. They are hints: any may be lost, and one may come
 * late. What must hold is stored, and is looked at again by a clock.
 */
export interface Signals {
  /** Sends a word to every other process that has the store open. It neither fails nor waits. */
  send(topic: SignalTopic): void;
  /** Calls `listen` with each word of a topic that another process has sent; returns what ends that. */
  on(topic: SignalTopic, listen: () => void): () => void;
}

/** `sync`: what the tracker has changed is to be read soon, by whichever process synchronizes. */
export type SignalTopic = 'sync';

/** Signals of a store that other processes cannot be reached through. */
export const noSignals: Signals = { send() {}, on: () => () => {} };
