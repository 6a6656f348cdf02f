/** The reason of a run that ended because the budget of the day is used up. */
export class OverDay extends Error {}
