import type { DoorParts } from '../command.ts';

/** What the Home tab is gathered and published with. */
export type HomeParts = Omit<DoorParts, 'homes'>;
