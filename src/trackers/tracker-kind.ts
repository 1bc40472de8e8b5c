import type { z } from 'zod';
import type { HttpSurroundings } from '../http-client/http-client.ts';
import type { LiveTracker } from './live-tracker.ts';

/** The store for secrets that change while Dwell runs, such as tokens of an app. */
export interface TrackerSecrets {
  get(name: string): Promise<string | null>;
  /** Replaces a secret (null: none) by what `change` makes of it, while no other process writes, and returns that. */
  change(name: string, change: (kept: string | null) => string | null): Promise<string | null>;
}

/** The parts that a live tracker is opened with. */
export interface TrackerSurroundings extends HttpSurroundings {
  readonly secrets: TrackerSecrets;
}

/** The consent of an admin to read a tracker in their name (OAuth 2.0, authorization code). */
export interface TrackerConsent {
  /**
   * The address of the consent page; the answer leads to `redirectUri`, which must be registered with the app word for
   * word.
   */
  url(redirectUri: string): Promise<string>;
  /**
   * Takes what came back, and gives the site that can be read from now on. `not-allowed` when it is not the answer to a
   * question of ours, `bad-request` when the answer was no.
   */
  accept(answer: {
    readonly code: string | null;
    readonly state: string | null;
    readonly error: string | null;
  }): Promise<{ readonly site: string }>;
}

/** Signed requests that a tracker sends when issues change: hints that these issues are to be read again. */
export interface TrackerWebhooks {
  /** The setting of their secret, and its value; null: no webhooks are accepted. */
  readonly setting: string;
  readonly secret: string | null;
  /** The header with the HMAC-SHA256 of the body in hexadecimal digits, after `prefix`. */
  readonly header: string;
  readonly prefix: string;
  /** Returns the ids of the issues that a body is about, maybe none; null where it is no webhook of the tracker. */
  readIds(body: unknown): readonly string[] | null;
}

/** A live tracker with what only some trackers have. */
export interface OpenedTracker extends LiveTracker {
  readonly webhooks?: TrackerWebhooks;
  /** Null where the configured credentials need no consent. */
  readonly consent?: TrackerConsent | null;
}

/** The settings by which a live tracker is reached. */
export interface TrackerAccess {
  /** Its address as configured, which is known also while no one answers there. */
  readonly address: string;
  /** The query that chooses the issues to read; null: all that the account can see. */
  readonly query: string | null;
  /** The setting by which the tracker itself decides who can see what; null: rules of `npx dwell access` decide. */
  readonly decidedBy: string | null;
  /** Loads the code of the tracker, which no process needs that uses another. */
  open(surroundings: TrackerSurroundings): Promise<OpenedTracker>;
}

/** One entry of the list of trackers. */
export interface TrackerKind {
  /** The value of `TRACKER`, and the name of its folder and of its rows in the store. */
  readonly name: string;
  /** Its name as people read it. */
  readonly title: string;
  /** Its own settings; each name begins with the tracker's. */
  readonly settings: Readonly<Record<string, z.ZodType>>;
}

/** A tracker that stays connected. `Values` are its settings as they were read. */
export interface LiveTrackerKind<Values = Readonly<Record<string, unknown>>> extends TrackerKind {
  /** The settings it needs, after "TRACKER '…' needs". */
  readonly needs: string;
  /** Returns null where none of its settings is set; fails with `not-configured` where they are incomplete. */
  read(values: Values): TrackerAccess | null;
}
