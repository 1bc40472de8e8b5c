import type { Watch } from '../../src/model/watch.ts';

/** A watch of Ada's over what is in Review. */
export function aWatch(id: string, parts: Partial<Watch> = {}): Watch {
  return {
    id,
    selection: { by: 'project', project: 'DEMO' },
    title: 'project DEMO',
    status: { id: '4', name: 'Review' },
    threshold: { by: 'usual' },
    calendar: 'normalHours',
    timeZone: 'UTC',
    tells: 'assignee',
    owner: 'U1',
    paused: false,
    createdAt: 1,
    ...parts,
  };
}
