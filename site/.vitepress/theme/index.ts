import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import CompareLevels from "../../components/CompareLevels.vue";
import Layout from "../../components/Layout.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.component("CompareLevels", CompareLevels);
  },
} satisfies Theme;
