/** The result of steps, one after the other without a pause. */
export function atOnce<Found>(finding: Generator<void, Found>): Found {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
  }
}
