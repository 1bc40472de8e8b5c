/** As many weeks of chosen projects are told on the Home tab. */
export const MOST_PROJECTS = 5;
