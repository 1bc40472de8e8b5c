import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Nature } from './nature.ts';
import { labelsOf, priorities } from './nature.ts';
import { isDone } from './planning.ts';
import type { Edit, Setting } from './settings.ts';
import { setLabels, setPlain, setValue } from './settings.ts';
import type { Story } from './story.ts';
import type { Telling } from './telling.ts';

/** What the lead puts straight while an issue is not done: summary, priority, labels, due date. */
export function triageEdits(nature: Nature, story: Story, telling: Telling): Edit[] {
  const { birth, random, cast, world } = telling;
  const edits: Edit[] = [];
  const plan = (probability: number, median: number, setting: () => Setting) => {
    const wanted = random.chance(probability);
    const work = random.logNormal(median * millisecondsInHour, 0.9);
    const made = setting();
    if (!wanted) return;
    const lead = cast.actor('lead', birth.at, null);
    const at: Instant = Math.round(world.attendance.clock(lead).after(birth.at, work));
    if (!isDone(story.visits, at)) edits.push({ at, by: lead, settings: [made] });
  };
  plan(nature.vague === null ? 0 : 1, 3, () => setPlain('summary', nature.summary));
  plan(0.12, 9, () => setValue('priority', random.pick(priorities)));
  plan(0.16, 12, () => setLabels([...new Set([...nature.labels, random.pick(labelsOf(birth.project))])]));
  plan(nature.due === null ? 0 : 0.3, 14, () =>
    setPlain('duedate', later(nature.due ?? '', random.whole(3, 14))),
  );
  return edits;
}

function later(date: string, days: number): string {
  const from = Date.parse(date);
  return Number.isNaN(from) ? date : new Date(from + days * millisecondsInDay).toISOString().slice(0, 10);
}
