import type { Overlap } from './stand-in-jira-jql.ts';

/** How a stand-in behaves where Jira differs from site to site, or from day to day. May be changed at any time. */
export interface JiraManners {
  /** Entries of a changelog embedded in a Cloud answer. */
  embeds: 40 | 100;
  /** The embedded changelog's total is the number of the entries that came. */
  lies: boolean;
  /** How instants are told in the bulk changelog. */
  bulkInstants: 'number' | 'mixed';
  /** Pages are smaller than asked now and then. */
  shortPages: boolean;
  /** The zone of the account that asks. */
  timeZone: string;
  /** Which instant is meant by a minute that comes twice. */
  overlap: Overlap;
  /** Data Center before 8.14 or so has no changelog of its own. */
  ownChangelog: boolean;
  /** Keys of projects that the account may not browse. */
  withheld: Set<string>;
  /** Keys of projects whose permission schemes the account may not read. */
  sealed: Set<string>;
  /** Versions of projects by their keys; projects without have none. */
  versions: Map<string, readonly object[]>;
  /** Paths below the interface that are answered with 403, such as `/users/search`. */
  forbidden: Set<string>;
  /** Paths below the interface that this site does not have (404). */
  absent: Set<string>;
  /** Whether the account may ask what others may do. */
  administers: boolean;
  /** Ids of issues of which Jira cannot tell more than id and key: it answers with 500, or never. */
  untellable: Map<string, 'error' | 'silence'>;
  /** Called with every question that is never answered. */
  onSilence: () => void;
}

/** Thrown where an answer would tell of an issue that cannot be told. */
export class Untellable extends Error {
  readonly how: 'error' | 'silence';
  constructor(how: 'error' | 'silence') {
    super('Internal server error');
    this.how = how;
  }
}

export const usualManners = (): JiraManners => ({
  embeds: 40,
  lies: false,
  bulkInstants: 'mixed',
  shortPages: false,
  timeZone: 'Europe/Berlin',
  overlap: 'later',
  ownChangelog: true,
  withheld: new Set(),
  sealed: new Set(),
  versions: new Map(),
  forbidden: new Set(),
  absent: new Set(),
  administers: true,
  untellable: new Map(),
  onSilence: () => {},
});
