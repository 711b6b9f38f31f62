import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import TryIt from "../../components/console/TryIt.vue";
import Layout from "../../components/Layout.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => void app.component("TryIt", TryIt),
} satisfies Theme;
