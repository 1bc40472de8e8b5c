import { unmistakableName } from '../../api/people/logins.ts';
import type { User } from '../../model/issue.ts';
import type { Direction } from '../messages/stand-in-message.ts';
import { loginOf } from '../people/login-of.ts';

/** Who is asked about in which direction, and what was typed behind them. */
export interface StandInSubject {
  readonly direction: Direction;
  readonly person: User;
  readonly rest: string;
}

/**
 * How the line begins that asks about somebody, by their user name of the tracker, or by their id where others can be
 * meant by that: `/delegates for @bob`.
 */
export function beginningOf({ direction, person }: StandInSubject, users: ReadonlyMap<string, User>): string {
  return `/delegates ${direction === 'delegators' ? 'for ' : ''}@${unmistakableName(person, users) ?? loginOf(person)}`;
}
