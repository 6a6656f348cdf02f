import DefaultTheme from "vitepress/theme";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import "./style.css";

export default DefaultTheme;
