import type { Instant } from '../../model/issue.ts';
import type { Attendance } from './attendance.ts';
import { automation, type Person, type ProjectKey, teamOf } from './people.ts';
import type { Random } from './random.ts';
import type { Role } from './workflow.ts';

/** Gives the roles of one issue's story to people. */
export interface Cast {
  /** Who plays the role at an instant; `maker` is who has built it so far. */
  actor(role: Role, at: Instant, maker: string | null): string;
}

/** Cast from the project's team; people who are away are passed over where there is a choice. */
export function createCast(
  project: ProjectKey,
  reporter: string,
  attendance: Attendance,
  random: Random,
): Cast {
  const makers = teamOf(project, 'maker');
  const reviewers = teamOf(project, 'maker', 'lead');
  const testers = teamOf(project, 'tester');
  const lead = teamOf(project, 'lead')[0]?.id ?? automation.id;

  const choose = (list: readonly Person[], at: Instant): string => {
    const [first, ...rest] = attendance.present(list, at);
    return first === undefined ? automation.id : random.pick([first, ...rest]).id;
  };
  return {
    actor: (role, at, maker) => {
      switch (role) {
        case 'maker':
          return maker ?? choose(makers, at);
        case 'reviewer':
          return choose(
            reviewers.filter(({ id }) => id !== maker),
            at,
          );
        case 'tester':
          return choose(testers, at);
        case 'lead':
          return attendance.standIn(lead, at);
        case 'on call':
          return attendance.onCall(at);
        case 'reporter':
          return reporter;
        case 'automation':
          return automation.id;
      }
    },
  };
}
