import type { User } from '../../model/issue.ts';
import type { Direction } from '../messages/stand-in-message.ts';

/** Who is asked about in which direction, and what was typed behind them. */
export interface StandInSubject {
  readonly direction: Direction;
  readonly person: User;
  readonly rest: string;
}

/** How the line begins that asks about somebody, by their user name of the tracker: `/delegates for @bob`. */
export function beginningOf({ direction, person: { id, login = id } }: StandInSubject): string {
  return `/delegates ${direction === 'delegators' ? 'for ' : ''}@${login}`;
}
