import { jira } from './jira/jira-settings.ts';
import { linear } from './linear/linear-settings.ts';
import type { LiveTrackerKind, TrackerKind } from './tracker-kind.ts';

/** The trackers: `TRACKER` chooses one. A process loads the code of that one alone. */
export const trackers = [
  { name: 'sample', title: 'the fictional company (TRACKER=sample)', settings: {} },
  { name: 'file', title: 'the imports', settings: {} },
  jira,
  linear,
] as const satisfies readonly TrackerKind[];

/** Those that stay connected. */
export const liveTrackers: readonly LiveTrackerKind[] = trackers.filter((kind) => 'read' in kind);

type Merged<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The settings of all trackers. */
export const trackerSettings = Object.assign({}, ...trackers.map(({ settings }) => settings)) as Merged<
  (typeof trackers)[number]['settings']
>;
