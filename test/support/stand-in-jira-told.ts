import { type JiraChangelogJson, type JiraIssueJson, spelled } from './stand-in-jira-json.ts';
import { type JiraManners, Untellable } from './stand-in-jira-manners.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** What is told without making the whole issue. */
const brief: readonly string[] = ['id', 'key', 'created', 'updated'];

/** Longest changelog that Data Center embeds without being asked for pages: all of it. */
const WHOLE = Number.POSITIVE_INFINITY;

/** How issues are told in searches and by themselves: some of the fields, and as much of the changelog as is embedded. */
export function createTeller(world: JiraWorld, manners: JiraManners) {
  const { json, mode } = world;

  function fieldsWanted(wanted: readonly string[], all: Record<string, unknown>): Record<string, unknown> {
    const without = new Set(wanted.filter((one) => one.startsWith('-')).map((one) => one.slice(1)));
    const everything = wanted.some((one) => one === '*all' || one === '*navigable');
    if (everything) {
      for (const name of without) delete all[name];
      return all;
    }
    return Object.fromEntries(wanted.filter((one) => Object.hasOwn(all, one)).map((one) => [one, all[one]]));
  }

  function embedded(number: number): JiraChangelogJson {
    const { entries, zone } = world.issue(number);
    const cap = mode === 'cloud' ? manners.embeds : WHOLE;
    const ordered = mode === 'cloud' ? entries.toReversed() : entries;
    const histories = ordered.slice(0, cap).map((entry) => json.entryOf(entry, zone));
    const total = manners.lies ? histories.length : entries.length;
    return { startAt: 0, maxResults: histories.length, total, histories };
  }

  return {
    /** `wanted` null: only which issue it is. */
    issue(number: number, wanted: readonly string[] | null, changelog: boolean): JiraIssueJson {
      const known = world.brief(number);
      const { id, key, created, updated, zone } = known;
      const how = manners.untellable.get(id);
      const hasFields = wanted?.some((one) => one !== 'id' && one !== 'key') ?? false;
      if (how !== undefined && (changelog || hasFields)) throw new Untellable(how);
      const all = () =>
        wanted?.every((one) => brief.includes(one))
          ? { created: spelled(created, zone), updated: spelled(updated, zone) }
          : json.fieldsOf(world.issue(number));
      return {
        expand: 'operations,changelog,transitions',
        id,
        self: json.selfOf(known),
        key,
        ...(hasFields ? { fields: fieldsWanted(wanted ?? [], all()) } : {}),
        ...(changelog ? { changelog: embedded(number) } : {}),
      };
    },
  };
}

export type JiraTeller = ReturnType<typeof createTeller>;
