import type { FieldValue } from '../../model/issue.ts';
import type { Birth } from './birth.ts';
import { confidentialSettings } from './confidential.ts';
import { drawNature, firstSettings } from './nature.ts';
import { personValue } from './people.ts';
import { estimateEdits, sprintEdits } from './planning.ts';
import { createRandom } from './random.ts';
import { type Edit, type Setting, setValue } from './settings.ts';
import { tellStory } from './story.ts';
import { createTelling } from './telling.ts';
import { triageEdits } from './triage.ts';
import type { World } from './world.ts';

/** All that is needed to write down an issue. */
export interface Draft {
  readonly birth: Birth;
  /** The status at creation. */
  readonly status: FieldValue;
  /** The other fields at creation. */
  readonly first: readonly Setting[];
  /** In order of time. */
  readonly edits: readonly Edit[];
}

/**
 * Thinks up an issue's life; `used` holds the summaries there are, and gets its own. Each strand has its own
 * chance: how long one has become by today must not show in another.
 */
export function draftIssue(birth: Birth, used: Set<string>, world: World): Draft {
  const chance = (strand: string) => createRandom(world.seed, strand, birth.project, birth.number);
  const telling = createTelling(birth, world, chance('story'));
  const nature = drawNature(birth, used, chance('nature'));
  const story = tellStory(telling);
  const edits = [
    ...story.edits,
    ...sprintEdits(story, { ...telling, random: chance('sprints') }),
    ...estimateEdits(story, { ...telling, random: chance('estimates') }),
    ...triageEdits(nature, story, { ...telling, random: chance('triage') }),
  ];
  return {
    birth,
    status: story.status,
    first: [
      setValue('assignee', story.assignee),
      ...firstSettings(birth, nature, personValue(birth.reporter)),
      ...confidentialSettings(birth, chance('level')),
    ],
    edits: edits.filter((edit) => edit.at < world.today).sort((a, b) => a.at - b.at),
  };
}
