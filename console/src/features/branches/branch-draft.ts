/** The draft of a new branch. Apart from the form, which is loaded when it is opened. */
export const BRANCH_DRAFT = 'new-branch';
