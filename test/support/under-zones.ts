import { afterAll, beforeAll, describe } from '#jest';

/** A machine's zone without changes, one a day ahead, and one half an hour apart whose clocks change at 00:01. */
const machineZones = ['UTC', 'Pacific/Auckland', 'America/St_Johns'] as const;

/**
 * Declares the cases once for each zone the machine may be in: what writes or reads dates has the same answers in all of
 * them. Node heeds a new TZ at once.
 */
export function underZones(cases: () => void, zones: readonly string[] = machineZones): void {
  describe.each(zones)('on a machine in %s', (zone) => {
    const before = process.env.TZ;
    beforeAll(() => {
      process.env.TZ = zone;
    });
    afterAll(() => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    });
    cases();
  });
}
