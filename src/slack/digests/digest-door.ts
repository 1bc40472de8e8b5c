import type { DoorParts } from '../command.ts';

/** What bringing digests to where they are told draws on. */
export type DigestDoor = Pick<
  DoorParts,
  | 'web'
  | 'wait'
  | 'now'
  | 'log'
  | 'pictures'
  | 'channels'
  | 'channelFacts'
  | 'reporting'
  | 'answers'
  | 'exports'
  | 'settings'
  | 'people'
  | 'accounts'
>;
